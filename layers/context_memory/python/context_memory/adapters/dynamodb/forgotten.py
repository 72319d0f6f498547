"""`FORGOTTEN#<hmac>`: keyed hashes of bullets that must not be learned again from older material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.domain.forgotten import Forgotten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey


def forgotten(table: Table, user: UserKey) -> Mapping[str, Forgotten]:
    """Keyed hashes of forgotten bullets, each with its latest forgetting."""
    items = table.items(user, keys.FORGOTTEN)
    # Items of earlier releases do not say when they were noted.
    return {
        item["sk"].removeprefix(keys.FORGOTTEN): Forgotten(
            said_at=moment(item["forgotten_at"]), noted_at=moment(item.get("noted_at", item["forgotten_at"]))
        )
        for item in items
    }


def remember_forgotten(writes: Writes, user: UserKey, epoch: int, hashes: Iterable[str], forgetting: Forgotten) -> None:
    """Keep each hash with the forgetting that was said last."""
    latest = Expression(
        condition="attribute_not_exists(#forgotten_at) OR #forgotten_at < :forgotten_at",
        # By its epoch an erase finds what it left behind.
        change="SET #forgotten_at = :forgotten_at, #noted_at = :noted_at, #epoch = :epoch",
        values={
            "forgotten_at": stamp(forgetting.said_at),
            "noted_at": stamp(forgetting.noted_at),
            "epoch": epoch,
        },
    )
    for digest in sorted(set(hashes)):
        writes.update(user, f"{keys.FORGOTTEN}{digest}", latest)


def recall_forgotten(writes: Writes, user: UserKey, hashes: Iterable[str]) -> None:
    """Remove each hash."""
    writes.delete(user, [f"{keys.FORGOTTEN}{digest}" for digest in set(hashes)])
