"""How turns leave: final with what was said in them let go, or given up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.consolidate.settling import dropped
from context_memory.application.consolidate.task import Ending
from context_memory.application.ringing import facts_ring
from context_memory.domain.errors import CommitRefused, Unavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.ids import UserKey
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Ends turns, and tells of it."""

    table: UserTable
    payloads: TurnPayloads
    doorbells: Doorbells
    facts_doorbells: Doorbells
    clock: Clock
    telemetry: Telemetry

    def drop(self, user: UserKey, state: UserState, record: TurnRecord | None, outcome: Outcome) -> None:
        """End a turn without a stored change; one that has ended, or was erased, meanwhile stays as it is."""
        if record is None:
            return
        try:
            self.table.settle(dropped(user, state, record, outcome, self.clock.now()))
        except CommitRefused:
            return
        self.tell(user, (record,), Ending(outcome=outcome))

    def bury(self, user: UserKey, record: TurnRecord, reason: str) -> None:
        """Give a turn up; an operator may give it another life."""
        # Reported first: a report that is repeated does no harm, one that is never sent hides a dead turn.
        self.doorbells.report_dead(user, record, reason)
        self.table.bury(user, record, reason=reason)
        self.telemetry.warning("a turn was given up", reason=reason)
        self.telemetry.count("postprocessor_total", outcome="dead")

    def tell(self, user: UserKey, records: Sequence[TurnRecord], ending: Ending) -> None:
        """Take note that turns have ended; let go of what was said in them, or ring for whoever still needs it."""
        now, outcome = self.clock.now(), ending.outcome
        if not outcome.success:
            self.telemetry.warning("turns ended without success", outcome=outcome.value, turns=len(records))
        for record in records:
            self.telemetry.count("postprocessor_total", outcome=outcome.value)
            self.telemetry.count("consolidation_lag_seconds", (now - record.accepted_at).total_seconds())
            if not ending.extracts_from(record):
                self._let_go(user, record)
        if extracted := [record for record in records if ending.extracts_from(record)]:
            # One ring for all of them: whoever answers it looks for everything that waits.
            self._ring(user, extracted[0])

    def _let_go(self, user: UserKey, record: TurnRecord) -> None:
        try:
            self.payloads.delete(user, record.turn_id, record.payload_sha256)
        except Unavailable as error:  # maintain looks for payloads of final turns
            self.telemetry.warning("could not delete a payload", error_type=type(error).__name__)

    def _ring(self, user: UserKey, record: TurnRecord) -> None:
        try:
            self.facts_doorbells.ring(facts_ring(user, record))
        except Unavailable as error:  # the next turn, or maintain, rings again
            self.telemetry.warning("could not ring for facts", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="ring", error_type=kind_of(error))
