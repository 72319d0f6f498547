"""The clauses that put and drop a user's facts, and move the head that stands in front of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, delete, put
from context_memory.adapters.dynamodb.fact_items import fact_item, head_item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.ports.facts import FactsChange, FactsHead

FACTS = "facts"


def fact_clauses(table: Table, change: FactsChange, write: str) -> Iterator[Clause]:
    """The head, and every fact that is put or dropped; `write` tells a head of ours from another's."""
    user = change.user
    head = head_item(user.partition, change.epoch, change.base.following(change.count, change.at), write)
    yield put(FACTS, table, head, as_read(change.base, change.epoch))
    for fact in change.puts:
        yield put("fact", table, fact_item(user.partition, change.epoch, fact))
    for dropped in sorted(change.drops):
        yield delete("fact", table, user, keys.fact(dropped))


def as_read(base: FactsHead, epoch: int) -> Expression:
    """The condition that a head is still the one that was read: its count, too, which the new one was made of."""
    if not base.version:
        # One of an older epoch, that an erase has not met yet, is as good as none.
        return Expression(condition="attribute_not_exists(#pk) OR #epoch <> :epoch", values={"epoch": epoch})
    return Expression(
        condition="#epoch = :epoch AND #version = :version AND #count = :count",
        values={"epoch": epoch, "version": base.version, "count": base.count},
    )
