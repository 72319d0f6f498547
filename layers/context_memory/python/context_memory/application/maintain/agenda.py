"""Every ten minutes: tell the queue of jobs what is due. The agenda is the truth, so nothing is lost with the queue."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError, kind_of
from context_memory.domain.jobs import JobKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from context_memory.domain.jobs import AgendaEntry
    from context_memory.ports.companies import Flags
    from context_memory.ports.objects import Directory
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

AGAIN_AFTER = timedelta(hours=6)
"""How long an entry is left alone once it was rung for: longer than a message is tried before it is a dead letter."""
MOST_OF_A_COMPANY = 1000
"""So many rings a company gets in one round at most; the next one goes on where it ended.

A company of a whole cell (docs/cells.md) has one entry a day for nearly each of its users, that history is trimmed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """What one round did."""

    jobs: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RingAgenda:
    """Rings for every entry that is due, of every company that has an agenda, has been named or has turns.

    `at_once`: how many entries are rung for at the same time.
    """

    agenda: Agenda
    jobs: Jobs
    flags: Flags
    directory: Directory
    clock: Clock
    telemetry: Telemetry
    at_once: int

    def __call__(self, seconds: float) -> Rung:
        """One round, in which no entry is rung for later than `seconds` from now; a company's fault costs no other's.

        Each round begins with the same companies; but what was rung for is left alone for hours, so that the rounds
        after one that ended early reach the others.
        """
        jobs, end = 0, self.clock.monotonic() + seconds
        failures: list[str] = []
        for company_id in sorted(self._companies(failures)):
            if self.clock.monotonic() < end:
                jobs += self._ring(company_id, end, failures)
        if self.clock.monotonic() >= end:
            self.telemetry.warning("a round of the agenda ended early", jobs=jobs)
        self.telemetry.event("rang for what is due", jobs=jobs, failures=len(failures))
        return Rung(jobs=jobs, failures=len(failures))

    def _companies(self, failures: list[str]) -> Iterator[str]:
        """Everybody's names from each source; the others stand in where one does not answer.

        A company that the operator names no more, and that has no turns, has an agenda all the same: it may have users
        who are to be erased, and history that is to be redacted.
        """
        found: set[str] = set()
        for source in (self.agenda.companies, self.flags.named, self.directory.companies_with_turns):
            try:
                found.update(source())
            except ContextMemoryError as error:
                self._tell("could not tell the companies of the agenda", error, failures)
        yield from found

    def _ring(self, company_id: str, end: float, failures: list[str]) -> int:
        rung: list[AgendaEntry] = []
        now = self.clock.now()

        def ring(entry: AgendaEntry) -> None:
            self.jobs.send(entry.job())
            rung.append(entry)
            self.agenda.rung(entry, now)

        try:
            entries = self._next(company_id, now)
            with ThreadPoolExecutor(self.at_once) as pool:
                for few in batched(entries, self.at_once, strict=False):
                    if self.clock.monotonic() >= end:
                        break
                    list(pool.map(ring, few))  # raises what one of them raised: a queue that is down is not asked on
        except Exception as error:  # noqa: BLE001 - one company's fault, of whatever kind, must not cost the others
            self._tell("could not ring for a company", error, failures)
        return len(rung)

    def _next(self, company_id: str, now: datetime) -> Sequence[AgendaEntry]:
        """The company's share of a round. History can wait to be trimmed, a user who wants to be forgotten cannot."""
        due = [entry for entry in self.agenda.due(company_id, now.date()) if _wants(entry, now)]
        return sorted(due, key=lambda entry: entry.kind is JobKind.TIDY)[:MOST_OF_A_COMPANY]

    def _tell(self, phrase: str, error: Exception, failures: list[str]) -> None:
        failures.append(phrase)
        self.telemetry.warning(phrase, error_type=type(error).__name__)
        self.telemetry.count("errors_total", stage="agenda", error_type=kind_of(error))


def _wants(entry: AgendaEntry, now: datetime) -> bool:
    return entry.rung_at is None or now - entry.rung_at >= AGAIN_AFTER
