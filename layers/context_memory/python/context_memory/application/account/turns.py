"""What became of a user's turns, told to that very user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentTurns:
    """The use case behind `GET /v1/me/turns`."""

    table: UserTable

    def __call__(self, user: UserKey, limit: int) -> Sequence[TurnRecord]:
        """The newest turns, by when they happened; none that an erase has ended."""
        epoch = self.table.state(user).settings.epoch
        return [record for record in self.table.turns(user) if record.epoch == epoch][:limit]
