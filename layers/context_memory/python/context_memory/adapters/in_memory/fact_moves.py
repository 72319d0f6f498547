"""What merges write of users' facts, and keep beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.settling import is_on
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.items import Items
    from context_memory.adapters.in_memory.user_table import InMemoryUserTable
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.merging import MergeMark
    from context_memory.ports.moving import FactsMove


class InMemoryFactMoves:
    """`FactMoves`; the port says what each method promises."""

    def __init__(self, table: InMemoryUserTable) -> None:
        self._table = table

    def moved(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[Fact]:
        """Facts that a merge has taken from the user in that epoch."""
        with self._table.opened(user, "moved") as items:
            found = [fact for (merge, _), fact in items.moved.items() if merge == merge_id and fact.epoch == epoch]
            return sorted(found, key=lambda fact: fact.id)

    def marks(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[MergeMark]:
        """Marks of the facts that a merge has given the user in that epoch."""
        with self._table.opened(user, "marks") as items:
            found = [mark for (merge, _), (of, mark) in items.marks.items() if merge == merge_id and of == epoch]
            return sorted(found, key=lambda mark: mark.fact_id)

    def move(self, move: FactsMove) -> None:
        """Do all of it in one transaction.

        Raises:
            CommitRefused: names the clauses that failed; nothing has changed.
        """
        merge_id = move.merge_id
        with self._table.opened(move.user, "move") as items:
            if failed := _failed_clauses(items, move):
                raise CommitRefused(failed)
            items.facts_head = move.epoch, move.base.following(move.count, move.at)
            for fact in move.puts:
                items.facts[fact.id] = replace(fact, epoch=move.epoch)
            for dropped in move.drops:
                items.facts.pop(dropped, None)
            for fact in move.keeps:
                items.moved[merge_id, fact.id] = replace(fact, epoch=move.epoch)
            for released in move.releases:
                items.moved.pop((merge_id, released), None)
            for mark in move.marks:
                items.marks[merge_id, mark.fact_id] = move.epoch, mark
            for unmarked in move.unmarks:
                items.marks.pop((merge_id, unmarked), None)


def _failed_clauses(items: Items, move: FactsMove) -> frozenset[str]:
    holds = {
        "facts": items.head_of_facts(move.epoch) == move.base,
        "settings": is_on(items, move.epoch, move.rules),
        "mark": not any((move.merge_id, mark.fact_id) in items.marks for mark in move.marks),
    }
    return frozenset(name for name, held in holds.items() if not held)
