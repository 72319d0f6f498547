"""`FactMoves`: one transaction on one user's facts; each clause has a name.

facts     the head still is the one that was read  → the new head
settings  the epoch still counts, memory is on, no erase runs, and the user's rules are those that were read
fact      -                                        → put, or deleted
moved     -                                        → kept, or kept no more
mark      none of that fact yet                    → put; or deleted
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.expressions import Expression, check, delete, put
from context_memory.adapters.dynamodb.fact_clauses import FACTS, as_read
from context_memory.adapters.dynamodb.fact_items import fact_item, fact_of, head_item
from context_memory.adapters.dynamodb.settlement import switched_on
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.errors import CommitRefused
from context_memory.domain.merging import MergeMark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.ports.moving import FactsMove


@dataclass(frozen=True, slots=True)
class DynamoFactMoves:
    """`FactMoves` over the user table; the port says what each method promises."""

    writes: Writes

    def moved(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[Fact]:
        """Facts that a merge has taken from the user in that epoch."""
        return [fact_of(item) for item in self._items(user, keys.moved(merge_id), epoch)]

    def marks(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[MergeMark]:
        """Marks of the facts that a merge has given the user in that epoch."""
        return [
            MergeMark(fact_id=item["sk"].rpartition("#")[2], stood=item["stood"], print=item["print"])
            for item in self._items(user, keys.merged(merge_id), epoch)
        ]

    def move(self, move: FactsMove) -> None:
        """Do all of it in one transaction."""
        write = str(uuid4())
        try:
            self.writes.transact(move.user, list(_clauses(self.writes.table, move, write)), token=write)
        except CommitRefused as refused:
            # The client tries again by itself when an answer is lost: then the head in the way is our own.
            head = self.writes.table.item(move.user, keys.FACTS_HEAD) if FACTS in refused.clauses else None
            if head is None or head["write"] != write:
                raise

    def _items(self, user: UserKey, beginning: str, epoch: int) -> Iterator[dict[str, Any]]:
        table = self.writes.table
        with told_as_ours(SERVICE), table.credentials.signing(user, table.reading_as):
            pages = table.client.get_paginator("query").paginate(
                TableName=table.name,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :beginning)",
                ExpressionAttributeValues=spelled_all({":pk": user.partition, ":beginning": beginning}),
                ConsistentRead=True,
            )
            found = [read_all(item) for page in pages for item in page["Items"]]
        return (item for item in found if item["epoch"] == epoch)


def _clauses(table: Table, move: FactsMove, write: str) -> Iterator[Clause]:
    user, merge_id = move.user, move.merge_id
    head = head_item(user.partition, move.epoch, move.base.following(move.count, move.at), write)
    yield put(FACTS, table, head, as_read(move.base, move.epoch))
    yield check("settings", table, user, keys.SETTINGS, switched_on(move.epoch, move.rules))
    for fact in move.puts:
        yield put("fact", table, fact_item(user.partition, move.epoch, fact))
    for dropped in sorted(move.drops):
        yield delete("fact", table, user, keys.fact(dropped))
    for fact in move.keeps:
        yield put("moved", table, _moved_item(move, fact))
    for released in sorted(move.releases):
        yield delete("moved", table, user, keys.moved(merge_id, released))
    for mark in move.marks:
        yield put("mark", table, _mark_item(move, mark), Expression(condition="attribute_not_exists(#pk)"))
    for unmarked in sorted(move.unmarks):
        yield delete("mark", table, user, keys.merged(merge_id, unmarked))


def _moved_item(move: FactsMove, fact: Fact) -> dict[str, Plain]:
    kept: dict[str, Plain] = {"sk": keys.moved(move.merge_id, fact.id), "expires_at": int(move.expires_at.timestamp())}
    return fact_item(move.user.partition, move.epoch, fact) | kept


def _mark_item(move: FactsMove, mark: MergeMark) -> dict[str, Plain]:
    return {
        "pk": move.user.partition,
        "sk": keys.merged(move.merge_id, mark.fact_id),
        "epoch": move.epoch,
        "stood": mark.stood,
        "print": mark.print,
        "expires_at": int(move.expires_at.timestamp()),
    }
