"""The jobs' queue and the agenda."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob, WalkJob


@dataclass(frozen=True, slots=True)
class Sent:
    """A message, and how long nobody sees it."""

    job: UserJob | WalkJob
    delay_seconds: int


class InMemoryJobs:
    """`Jobs`. `sent` holds what lies in the queue, oldest first; tests take messages out."""

    def __init__(self, *, steps: Steps) -> None:
        self.sent: list[Sent] = []
        self._steps = steps

    def send(self, job: UserJob | WalkJob, *, delay_seconds: int = 0) -> None:
        """Ask for work."""
        with self._steps.step("jobs.send"):
            self.sent.append(Sent(job, delay_seconds))


class InMemoryAgenda:
    """`Agenda`."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._entries: set[AgendaEntry] = set()
        self._lock = Lock()

    def note(self, entry: AgendaEntry) -> None:
        """Keep an entry until it is struck."""
        with self._steps.step("agenda.note"), self._lock:
            self._entries.add(entry)

    def due(self, company_id: str, today: date) -> Sequence[AgendaEntry]:
        """Entries of `today` and of days before, oldest first."""
        with self._steps.step("agenda.due"), self._lock:
            found = [entry for entry in self._entries if entry.company_id == company_id and entry.due <= today]
        return sorted(found, key=lambda entry: (entry.due, entry.kind, entry.user.encoded if entry.user else ""))

    def strike(self, entry: AgendaEntry) -> None:
        """Remove an entry whose work is done; an absent one is no error."""
        with self._steps.step("agenda.strike"), self._lock:
            self._entries.discard(entry)

    def strike_all(self, user: UserKey, kinds: Iterable[JobKind], days: Iterable[date]) -> None:
        """Remove the user's entries of these kinds on these days."""
        chosen, on = frozenset(kinds), frozenset(days)
        with self._steps.step("agenda.strike_all"), self._lock:
            self._entries = {
                entry
                for entry in self._entries
                if not (entry.user == user and entry.kind in chosen and entry.due in on)
            }
