"""What a user asked to forget: until when it can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, datetime

UNDO = timedelta(days=7)
"""How long history keeps what was forgotten, so that the user may still change their mind."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One forgetting: `said_at` is when the user asked, which may be long before it was done at `noted_at`."""

    said_at: datetime
    noted_at: datetime

    def is_final(self, now: datetime) -> bool:
        """Whether it is too late to undo it."""
        return self.noted_at + UNDO <= now


def redaction_day(now: datetime) -> date:
    """The first day on which all that is forgotten `now` is final from its first minute."""
    return (now + UNDO + timedelta(days=1)).date()
