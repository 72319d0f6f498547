"""How long a user has been away."""

from __future__ import annotations

from calendar import monthrange
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.state import UserState


def last_seen(state: UserState) -> datetime | None:
    """The user's last sign of life: their newest consolidated turn, stored change or open turn; None without any."""
    signs = [turn.accepted_at for turn in state.open_turns]
    if state.consolidated_through is not None:
        signs.append(state.consolidated_through)
    if state.current is not None:
        signs.append(state.current.last_updated)
    return max(signs, default=None)


def months_before(at: datetime, months: int) -> datetime:
    """The same day of the month so many months before, or that month's last one where it has no such day."""
    year, month = divmod(at.year * 12 + at.month - 1 - months, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, monthrange(year, month + 1)[1]))
