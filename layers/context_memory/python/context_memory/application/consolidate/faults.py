"""What becomes of turns that a model refuses, that use up their calls, or that make our own code fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from context_memory.application.faults import place_of
from context_memory.domain.errors import CallBudgetSpent, ModelRejected, kind_of
from context_memory.domain.outcomes import Outcome
from context_memory.domain.turn import MAX_ATTEMPTS
from context_memory.ports.users import Waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.consolidate.ends import Ends
    from context_memory.application.consolidate.putting_back import PuttingBack
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_CALL_BUDGET = "call_budget"
_CRASHED = "crashed"


class Crashed(Exception):
    """A turn made our code fail; its attempt is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Lets such turns try again while they may, alone, so that they cost nobody else anything; then gives them up."""

    table: UserTable
    ends: Ends
    put_back: PuttingBack
    telemetry: Telemetry
    limits: ChainLimits

    def bury_spent(self, user: UserKey, record: TurnRecord) -> bool:
        """Whether a turn has had its share of attempts or calls, and was given up for it."""
        if record.attempts >= MAX_ATTEMPTS:
            self.ends.bury(user, record, _CRASHED)
        elif record.calls >= self.limits.calls_per_turn:
            self.ends.bury(user, record, _CALL_BUDGET)
        else:
            return False
        return True

    def refused(
        self, user: UserKey, state: UserState, records: Sequence[TurnRecord], error: CallBudgetSpent | ModelRejected
    ) -> None:
        """The model answers no more: in company each turn gets a try alone, and alone it ends."""
        record = records[0]
        if len(records) > 1 or (isinstance(error, ModelRejected) and not record.alone):
            self.put_back(user, records, Waiting(reason=type(error).__name__, alone=True))
        elif isinstance(error, ModelRejected):
            self.ends.drop(user, state, record, Outcome.MODEL_REJECTED)
        elif record.calls + self.limits.calls_per_chain < self.limits.calls_per_turn:
            self.put_back(user, records, Waiting(reason=_CALL_BUDGET, gives_back=False, alone=True))
        else:
            self.ends.bury(user, record, _CALL_BUDGET)

    def crashed(self, user: UserKey, records: Sequence[TurnRecord], error: Exception) -> NoReturn:
        """Our own fault. The class alone is told: the message of an unforeseen error may quote what was said.

        Raises:
            Crashed: always.
        """
        self.telemetry.warning("a turn made us fail", error_type=type(error).__name__, where=place_of(error))
        self.telemetry.count("errors_total", stage="consolidation", error_type=kind_of(error))
        for record in records:
            if record.attempts >= MAX_ATTEMPTS:
                self.ends.bury(user, record, _CRASHED)
            else:
                self.table.wait(user, record, Waiting(reason=_CRASHED, gives_back=False, alone=True))
        raise Crashed from None
