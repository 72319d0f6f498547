"""What became of a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, UnknownTurn
from context_memory.domain.outcomes import TurnStatus

if TYPE_CHECKING:
    from context_memory.application.ladder import Ladder
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.companies import Switches
    from context_memory.ports.users import UserTable

BUDGET = "budget"
_WAITING = frozenset({TurnStatus.QUEUED, TurnStatus.RETRYING})


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStatusQuery:
    """The use case behind `GET …/turns/{turn_id}`."""

    table: UserTable
    switches: Switches
    ladder: Ladder

    def __call__(self, user: UserKey, turn_id: str) -> TurnRecord:
        """The turn's record; one that waits for its company's next budget says so in its reason.

        Raises:
            UnknownTurn: it was never accepted, or its record has expired.
        """
        record = self.table.turn(user, turn_id)
        if record is None:
            raise UnknownTurn("No turn of this id is known.")
        return replace(record, reason=BUDGET) if self._waits_for_budget(user, record) else record

    def _waits_for_budget(self, user: UserKey, record: TurnRecord) -> bool:
        """Looked up here, so that pausing a company writes to none of its turns."""
        if record.status not in _WAITING:
            return False
        try:
            return self.ladder.paused(user.company_id, self.switches.flags(user.company_id).daily_tokens)
        except Unavailable:  # it waits in any case; only why is unknown
            return False
