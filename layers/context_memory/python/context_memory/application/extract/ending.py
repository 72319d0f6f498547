"""How extractions leave without facts: dropped, or given up; and how what was said goes, once nobody needs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, Unavailable
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.turn import MAX_ATTEMPTS
from context_memory.ports.facts import ExtractionEnd, FactsChange, FactsHead

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.application.kept.putting_by import PutBy
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.ports.facts import FactStore, PendingExtraction
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

CRASHED, CALL_BUDGET = "crashed", "call_budget"
_COUNTS = frozenset({FactsOutcome.MODEL_REJECTED, FactsOutcome.EXPIRED, FactsOutcome.SKIPPED})
"""Ends that hold only while memory is on; of what was erased or switched off nothing is checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Ends extractions."""

    store: FactStore
    put_by: PutBy
    doorbells: Doorbells
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    def drop(self, user: UserKey, epoch: int, pending: PendingExtraction, outcome: FactsOutcome) -> None:
        """End an extraction without facts; one that has ended, or was erased, meanwhile stays as it is."""
        end = ExtractionEnd(pending=pending, outcome=outcome, counts=FactsCounts())
        change = FactsChange(
            user=user,
            base=FactsHead(),
            epoch=epoch,
            at=self.clock.now(),
            ends=(end,),
            check_settings=outcome in _COUNTS,
        )
        try:
            self.store.change(change)
        except CommitRefused:
            return
        if outcome is not FactsOutcome.SKIPPED:
            self.telemetry.warning("facts of a turn are not extracted", outcome=outcome.value)
        self.telemetry.count("writeback_total", outcome=outcome.value)
        self.let_go(user, (pending,))

    def let_go(self, user: UserKey, ended: Iterable[PendingExtraction]) -> None:
        """Remove what was said in turns that everybody has finished with, or put it by where it is kept."""
        for pending in ended:
            try:
                self.put_by(user, turn_id=pending.turn_id, sha256=pending.payload_sha256, open_key=pending.open_key)
            except Unavailable as error:  # maintain looks for payloads of final turns
                self.telemetry.warning("could not let go of a payload", error_type=type(error).__name__)

    def bury_spent(self, user: UserKey, pending: PendingExtraction) -> bool:
        """Whether an extraction has had its share of attempts or calls, and was given up for it."""
        if pending.attempts >= MAX_ATTEMPTS:
            self.bury(user, pending, CRASHED)
        elif pending.calls >= self.limits.calls_per_turn:
            self.bury(user, pending, CALL_BUDGET)
        else:
            return False
        return True

    def bury(self, user: UserKey, pending: PendingExtraction, reason: str) -> None:
        """Give an extraction up; an operator may give it another life."""
        # Reported first: a report that is repeated does no harm, one that is never sent hides it.
        self.doorbells.report_dead(user, pending, reason)
        self.store.bury(user, pending, reason)
        self.telemetry.warning("an extraction was given up", reason=reason)
        self.telemetry.count("writeback_total", outcome=FactsOutcome.DEAD.value)
