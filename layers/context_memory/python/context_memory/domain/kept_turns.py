"""Turns whose text a company keeps for a while, so that facts are made of several old ones before it goes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.company_settings import LONGEST_KEEP_DAYS

if TYPE_CHECKING:
    from datetime import datetime

GRACE = timedelta(days=7)
"""How long a text waits beyond its end for a model that does not answer, or a budget that is used up."""
AT_MOST = timedelta(days=LONGEST_KEEP_DAYS) + 2 * GRACE
"""After this a text goes by itself, should nobody ever come to it."""
_SMALLEST_LOOK_AHEAD, _LARGEST_LOOK_AHEAD = 1, 7
_A_TENTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """`KEPT#<open_key>`: a turn whose text is kept. It outlives the turn's own record.

    Attributes:
        provider: the link through which the turn came, as it is spelled.
    """

    open_key: str
    turn_id: str
    payload_sha256: str
    epoch: int
    accepted_at: datetime
    occurred_at: datetime
    chat_id: str | None = None
    provider: str | None = None

    @property
    def said_at(self) -> datetime:
        """When it was said, or handed over before that: a wish to forget that came later means it, too."""
        return min(self.accepted_at, self.occurred_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """What becomes of kept texts at `now`, in a company that keeps them for so many `days` as it is set by then."""

    days: int
    now: datetime

    def end(self, turn: KeptTurn) -> datetime:
        """When its text is to be gone at the latest, unless nobody could read it for facts."""
        return turn.accepted_at + timedelta(days=self.days)

    def gone_by(self, turn: KeptTurn) -> datetime:
        """When it is gone whatever happens."""
        return self.end(turn) + GRACE

    def is_due(self, turn: KeptTurn) -> bool:
        """Whether its facts are to be made now: its end comes soon, and neighbours are read together."""
        return self._due_for(turn) >= timedelta()

    def together(self, turn: KeptTurn, most: int) -> int:
        """How many turns are read with this one, itself included: `most` at first, half as many each day after."""
        return max(most >> max(self._due_for(turn).days, 0), 1)

    def has_ended(self, turn: KeptTurn) -> bool:
        """Whether it goes unread where nothing may be made of it."""
        return self.now >= self.end(turn)

    def is_overdue(self, turn: KeptTurn) -> bool:
        """Whether it goes unread, for nobody could read it in time."""
        return self.now >= self.gone_by(turn)

    def _due_for(self, turn: KeptTurn) -> timedelta:
        ahead = min(max(self.days // _A_TENTH, _SMALLEST_LOOK_AHEAD), _LARGEST_LOOK_AHEAD)
        return self.now + timedelta(days=ahead) - self.end(turn)
