"""Every ten minutes: tell the queue of jobs what is due. The agenda is the truth, so nothing is lost with the queue."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from context_memory.domain.jobs import AgendaEntry
    from context_memory.ports.companies import Flags
    from context_memory.ports.objects import Directory
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

AGAIN_AFTER = timedelta(hours=6)
"""How long an entry is left alone once it was rung for: longer than a message is tried before it is a dead letter."""
MOST_OF_A_COMPANY = 200
"""So many rings a company gets in one round at most; the next one goes on where it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """What one round did."""

    jobs: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RingAgenda:
    """Rings for every entry that is due, of every company that has been named or has turns."""

    agenda: Agenda
    jobs: Jobs
    flags: Flags
    directory: Directory
    clock: Clock
    telemetry: Telemetry

    def __call__(self, seconds: float) -> Rung:
        """One round, in which no company is begun later than `seconds` from now; one's fault costs no other its rings.

        Who is late in a round that ends early comes first in none; but what was rung for is left alone for hours, so
        that the next rounds get there.
        """
        total, end = Rung(), self.clock.monotonic() + seconds
        failures: list[str] = []
        for company_id in sorted(self._companies(failures)):
            if self.clock.monotonic() >= end:
                self.telemetry.warning("a round of the agenda ended early", jobs=total.jobs)
                break
            total = Rung(jobs=total.jobs + self._ring(company_id, failures))
        total = Rung(jobs=total.jobs, failures=len(failures))
        self.telemetry.event("rang for what is due", jobs=total.jobs, failures=total.failures)
        return total

    def _companies(self, failures: list[str]) -> Iterator[str]:
        """Everybody's names from either source; the one stands in where the other does not answer."""
        found: set[str] = set()
        for source in (self.flags.named, self.directory.companies_with_turns):
            try:
                found.update(source())
            except ContextMemoryError as error:
                self._tell("could not tell the companies of the agenda", error, failures)
        yield from found

    def _ring(self, company_id: str, failures: list[str]) -> int:
        rung, now = 0, self.clock.now()
        try:
            due = [entry for entry in self.agenda.due(company_id, now.date()) if _wants(entry, now)]
            for entry in due[:MOST_OF_A_COMPANY]:
                self.jobs.send(entry.job())
                rung += 1
                self.agenda.rung(entry, now)
        except Exception as error:  # noqa: BLE001 - one company's fault, of whatever kind, must not cost the others
            self._tell("could not ring for a company", error, failures)
        return rung

    def _tell(self, phrase: str, error: Exception, failures: list[str]) -> None:
        failures.append(phrase)
        self.telemetry.warning(phrase, error_type=type(error).__name__)
        self.telemetry.count("errors_total", stage="agenda", error_type=kind_of(error))


def _wants(entry: AgendaEntry, now: datetime) -> bool:
    return entry.rung_at is None or now - entry.rung_at >= AGAIN_AFTER
