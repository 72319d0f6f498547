"""`FactStore`, whole: reading and every kind of write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import citing, extractions
from context_memory.adapters.dynamodb.fact_changes import change_facts
from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import Usage
    from context_memory.ports.facts import FactsChange, PendingExtraction


class DynamoFacts(DynamoFactReads):
    """`FactStore` over DynamoDB; the port says what each method promises.

    Args:
        writes: of the user table.
        company_table: name of the company table.
    """

    def __init__(self, writes: Writes, company_table: str) -> None:
        super().__init__(writes.table, company_table)
        self._writes = writes

    def change(self, change: FactsChange) -> None:
        """Do all of it in one transaction."""
        change_facts(self._writes, change)

    def pending(self, user: UserKey) -> Sequence[PendingExtraction]:
        """Turns whose facts are still to be extracted, the oldest first, dead ones included."""
        return extractions.pending(self._writes.table, user)

    def begin(self, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
        """Count an attempt; None when it has ended or was given up meanwhile."""
        return extractions.begin(self._writes, user, pending)

    def give_back(self, user: UserKey, pending: PendingExtraction) -> None:
        """Take an attempt that began as `pending` back, with its calls."""
        extractions.give_back(self._writes, user, pending)

    def count_call(self, user: UserKey, pending: Sequence[PendingExtraction], usage: Usage) -> None:
        """Count one answered call on each that is still pending; keep its usage on the turn of the first."""
        extractions.count_call(self._writes, user, pending, usage)

    def bury(self, user: UserKey, pending: PendingExtraction, reason: str) -> None:
        """Give an extraction up; its turn says so, and its payload stays."""
        extractions.bury(self._writes, user, pending, reason)

    def silence(self, user: UserKey, pending: PendingExtraction) -> None:
        """Let nothing be learned from a turn any more, but for what it asks to forget."""
        extractions.silence(self._writes, user, pending)

    def revive(self, user: UserKey, turn_id: str) -> PendingExtraction | None:
        """Give a dead extraction another life; None when it is not dead."""
        return extractions.revive(self._writes, user, turn_id)

    def cite(self, user: UserKey, ids: Iterable[str]) -> None:
        """Count one use of each of the user's facts; absent ones are no error."""
        citing.cite(self._writes, user, ids)
