"""What became of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import UnknownTurn

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStatusQuery:
    """The use case behind `GET …/turns/{turn_id}`."""

    table: UserTable

    def __call__(self, user: UserKey, turn_id: str) -> TurnRecord:
        """The turn's record.

        Raises:
            UnknownTurn: it was never accepted, or its record has expired.
        """
        record = self.table.turn(user, turn_id)
        if record is None:
            raise UnknownTurn("No turn of this id is known.")
        return record
