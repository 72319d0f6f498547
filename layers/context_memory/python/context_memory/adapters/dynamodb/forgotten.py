"""`FORGOTTEN#<hmac>`: keyed hashes of bullets that must not be learned again from older material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.expressions import Expression

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey


def forgotten(table: Table, user: UserKey) -> Mapping[str, datetime]:
    """Keyed hashes of forgotten bullets, with the time of forgetting."""
    items = table.items(user, keys.FORGOTTEN)
    return {item["sk"].removeprefix(keys.FORGOTTEN): moment(item["forgotten_at"]) for item in items}


def remember_forgotten(writes: Writes, user: UserKey, epoch: int, hashes: Iterable[str], at: datetime) -> None:
    """Keep each hash with the latest time at which it was forgotten."""
    latest = Expression(
        condition="attribute_not_exists(#forgotten_at) OR #forgotten_at < :forgotten_at",
        change="SET #forgotten_at = :forgotten_at, #epoch = :epoch",  # by its epoch an erase finds what it left behind
        values={"forgotten_at": stamp(at), "epoch": epoch},
    )
    for digest in sorted(set(hashes)):
        writes.update(user, f"{keys.FORGOTTEN}{digest}", latest)
