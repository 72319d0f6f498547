"""A standard queue of jobs, and the agenda behind it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.jobs import AgendaEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import Job, JobKind
    from context_memory.ports.system import Clock


@dataclass(slots=True)
class Sent:
    """A message, and for how long nobody sees it at first; then what became of it."""

    job: Job
    delay_seconds: int
    visible_at: datetime = field(default=datetime.min.replace(tzinfo=UTC), compare=False)
    receipt: str | None = field(default=None, compare=False)
    received: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class JobDelivery:
    """A received job; `received` counts how often it was handed out."""

    job: Job
    receipt: str
    received: int


class InMemoryJobs:
    """`JobQueue`, and the queue's other end (`receive`, `acknowledge`). `sent` holds what lies in it, oldest first.

    Args:
        steps: where tests come in.
        clock: for delays and visibility.
        visibility: how long a received job stays hidden.
    """

    def __init__(self, *, steps: Steps, clock: Clock, visibility: timedelta = timedelta(minutes=90)) -> None:
        self.sent: list[Sent] = []
        self._steps = steps
        self._clock = clock
        self._visibility = visibility
        self._receipts = count(1)
        self._lock = Lock()

    def send(self, job: Job, *, delay_seconds: int = 0) -> None:
        """Ask for work, not to be begun before `delay_seconds` are over."""
        with self._steps.step("jobs.send"), self._lock:
            self.sent.append(Sent(job, delay_seconds, self._clock.now() + timedelta(seconds=delay_seconds)))

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received message again after `seconds`."""
        with self._steps.step("jobs.postpone"), self._lock:
            for message in self.sent:
                if message.receipt == receipt and message.visible_at > self._clock.now():
                    message.visible_at = self._clock.now() + timedelta(seconds=seconds)

    def receive(self) -> JobDelivery | None:
        """The oldest visible message."""
        with self._lock:
            now = self._clock.now()
            for message in self.sent:
                if message.visible_at <= now:
                    message.visible_at = now + self._visibility
                    message.receipt = f"receipt-{next(self._receipts)}"
                    message.received += 1
                    return JobDelivery(message.job, message.receipt, message.received)
        return None

    def acknowledge(self, receipt: str) -> None:
        """Remove a received message."""
        with self._lock:
            self.sent = [message for message in self.sent if message.receipt != receipt]

    def waiting(self) -> Sequence[Job]:
        """Every job that was sent and not acknowledged, hidden ones too."""
        with self._lock:
            return [message.job for message in self.sent]


class InMemoryAgenda:
    """`Agenda`; the port says what each method promises."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._entries: dict[AgendaEntry, AgendaEntry] = {}
        self._companies: set[str] = set()
        self._marks = count(1)
        self._lock = Lock()

    def note(self, entry: AgendaEntry) -> None:
        """Keep an entry until it is struck."""
        with self._steps.step("agenda.note"), self._lock:
            self._companies.add(entry.company_id)
            marked = replace(entry, mark=f"{next(self._marks):x}")
            self._entries[marked] = marked

    def companies(self) -> Sequence[str]:
        """Companies about which anything was ever noted."""
        with self._steps.step("agenda.companies"), self._lock:
            return sorted(self._companies)

    def due(self, company_id: str, today: date) -> Sequence[AgendaEntry]:
        """Entries of `today` and of days before, oldest first."""
        with self._steps.step("agenda.due"), self._lock:
            found = [one for one in self._entries.values() if one.company_id == company_id and one.due <= today]
            return sorted(found, key=_order)

    def rung(self, entry: AgendaEntry, at: datetime) -> None:
        """Keep that the queue was told of an entry; one that was struck or noted anew meanwhile stays as it is."""
        with self._steps.step("agenda.rung"), self._lock:
            if self._is_as_read(entry):
                self._entries[entry] = replace(self._entries[entry], rung_at=at)

    def strike(self, entry: AgendaEntry) -> None:
        """Remove an entry whose work is done; one that is absent, or has another mark by now, is no error."""
        with self._steps.step("agenda.strike"), self._lock:
            if self._is_as_read(entry):
                del self._entries[entry]

    def strike_all(self, user: UserKey, kinds: Iterable[JobKind], days: Iterable[date]) -> None:
        """Remove the user's entries of these kinds on these days."""
        on = tuple(days)
        with self._steps.step("agenda.strike_all"), self._lock:
            for kind in kinds:
                for day in on:
                    entry = AgendaEntry(company_id=user.company_id, kind=kind, due=day, user=user)
                    self._entries.pop(entry, None)

    def _is_as_read(self, entry: AgendaEntry) -> bool:
        stands = self._entries.get(entry)
        return stands is not None and entry.mark in {None, stands.mark}


def _order(entry: AgendaEntry) -> tuple[date, str, str]:
    about = entry.user.encoded if entry.user else entry.job_id or entry.space_id or ""
    return entry.due, entry.kind.value, about
