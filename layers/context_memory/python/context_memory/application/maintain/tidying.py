"""Old history goes: revisions beyond the company's retention, and versions that nothing names any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.history import newest_first
from context_memory.domain.jobs import AgendaEntry, JobKind
from context_memory.domain.retention import last_day, outlived

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.commit.sweeping import Sweep
    from context_memory.domain.company_settings import CompanySettings
    from context_memory.domain.jobs import UserJob
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidy:
    """The job `tidy`. It may be done again, and at any moment: the version that counts and its revision always stay."""

    table: UserTable
    sweep: Sweep
    company: Callable[[str], CompanySettings]
    agenda: Agenda
    jobs: Jobs
    clock: Clock
    telemetry: Telemetry

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Trim one user's history; one fetch a hundred revisions, one request a version that goes.

        No version goes later than `seconds` from now: what is left is done in another message.

        Raises:
            Unavailable: not all is done; come again.
        """
        end = self.clock.monotonic() + seconds
        user, retention = job.user, self.company(job.user.company_id).retention
        pointer = self.table.state(user).current
        if pointer is not None:
            # What is committed from here on has a higher number than all that is read and dropped below.
            found = tuple(newest_first(self.table, user, pointer.epoch))
            old = outlived(found, retention, current=pointer.turn_count, now=self.clock.now())
            self.table.drop_revisions(user, pointer.epoch, [revision.turn_count for revision in old])
            left = [one for one in found if one not in old and one.turn_count < pointer.turn_count]
            if left:
                day = last_day(retention, left[-1].written_at)
                self.agenda.note(AgendaEntry(company_id=user.company_id, kind=JobKind.TIDY, due=day, user=user))
            if old:
                self.telemetry.event("trimmed history", revisions=len(old))
        # A version goes after the revision that named it: what dies in between is an orphan, which the next one sweeps.
        if not self.sweep.until(user, end):
            self.jobs.send(job)
            self.telemetry.event("trimming history goes on in another message")
            return
        if job.entry:
            self.agenda.strike(job.entry)
