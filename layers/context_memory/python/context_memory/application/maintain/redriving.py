"""Giving a dead turn, or the extraction of its facts, another life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.ringing import facts_ring, turn_ring
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import TurnStatus

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactStore
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """How many turns got another life (0 or 1), and where the turn is now; `status` is None when it is not known."""

    redriven: int
    status: TurnStatus | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrive:
    """The job `redrive`."""

    table: UserTable
    facts: FactStore
    doorbells: Doorbells
    facts_doorbells: Doorbells
    telemetry: Telemetry

    def __call__(self, user: UserKey, turn_id: str) -> Redriven:
        """Set a dead turn, or its facts, waiting again with attempts and calls at 0, and ring; leave any other be."""
        with self.telemetry.about(user):
            record = self.table.redrive(user, turn_id)
            if record is None:
                return self._not_dead(user, turn_id)
            self.doorbells.ring(turn_ring(user, record))
            self.telemetry.event("a dead turn was set waiting again")
            return Redriven(redriven=1, status=record.status)

    def _not_dead(self, user: UserKey, turn_id: str) -> Redriven:
        record = self.table.turn(user, turn_id)
        if record is None:
            return Redriven(redriven=0, status=None)
        if record.facts_outcome is FactsOutcome.DEAD and (life := self.facts.revive(user, turn_id)):
            self.facts_doorbells.ring(facts_ring(user, life))
            self.telemetry.event("a dead extraction was set waiting again")
            return Redriven(redriven=1, status=record.status)
        if record.extracting:  # likewise, of a redrive that ended before its ring
            self.facts_doorbells.ring(facts_ring(user, record))
        if record.status is TurnStatus.QUEUED:  # perhaps by a redrive that ended before its ring
            self.doorbells.ring(turn_ring(user, record))
        return Redriven(redriven=0, status=record.status)
