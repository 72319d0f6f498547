"""What travels through queues, and what must be looked at one day: ids and reasons, never text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import AgendaEntry, Job, JobKind


@dataclass(frozen=True, slots=True)
class Doorbell:
    """Ids only: somebody should look at this user's open turns. `ring_id` makes rings of one reason one message."""

    user: UserKey
    ring_id: str
    kind: str = "turns"


class Life(Protocol):
    """A turn, or the extraction of its facts, between two lives that an operator gave it."""

    @property
    def turn_id(self) -> str:
        """Whose."""

    @property
    def epoch(self) -> int:
        """Of the user's memory."""

    @property
    def ring(self) -> int:
        """How often it was given another life."""


class Doorbells(Protocol):
    """A FIFO queue, `turns.fifo` or `facts.fifo`, and its dead letters. Messages hold ids and reasons, never text."""

    def ring(self, doorbell: Doorbell) -> None:
        """Put a doorbell into the user's group."""

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received doorbell again after `seconds` (0 to 43,200); its group stays blocked until then."""

    def report_dead(self, user: UserKey, life: Life, reason: str) -> None:
        """Tell the dead-letter queue of a turn that was given up; once for each of its lives (epoch and ring)."""


class Jobs(Protocol):
    """The standard queue of `maintain`. A message may come late, twice, or after its work was done."""

    def send(self, job: Job, *, delay_seconds: int = 0) -> None:
        """Ask for work, not to be begun before `delay_seconds` (0 to 900) are over."""


class JobQueue(Jobs, Protocol):
    """The same queue, as `maintain` sees it, who answers it."""

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received message again after `seconds` (0 to 43,200); one that is visible already is no error."""


class Agenda(Protocol):
    """What must be looked at on a day, in the company table: the truth behind the jobs' queue, which only rings.

    An entry is one for its company, kind, day and user or walk, however often it is noted; each noting gives it another
    mark, so that whoever has worked off an earlier one does not take away what has come up since.
    It is rung for within ten minutes of its day's beginning: who also sends a message notes the next day, and is looked
    after once.
    """

    def note(self, entry: AgendaEntry) -> None:
        """Keep an entry until it is struck, under a mark of its own."""

    def companies(self) -> Sequence[str]:
        """Companies about which anything was ever noted, sorted."""

    def due(self, company_id: str, today: date) -> Sequence[AgendaEntry]:
        """Entries of `today` and of days before, oldest first."""

    def rung(self, entry: AgendaEntry, at: datetime) -> None:
        """Keep that the queue was told of an entry; one that was struck or noted anew meanwhile stays as it is."""

    def strike(self, entry: AgendaEntry) -> None:
        """Remove an entry whose work is done; one that is absent, or has another mark by now, is no error."""

    def strike_all(self, user: UserKey, kinds: Iterable[JobKind], days: Iterable[date]) -> None:
        """Remove the user's entries of these kinds on these days."""
