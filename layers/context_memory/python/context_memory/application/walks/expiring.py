"""Erasing users who have been away for as many months as their company has set, and looking for them once a week."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.walks.erasing import erased
from context_memory.domain.absence import last_seen, months_before
from context_memory.domain.jobs import AgendaEntry, JobKind
from context_memory.domain.walks import Line, WalkKind

if TYPE_CHECKING:
    from datetime import date

    from context_memory.application.erase.requesting import RequestErase
    from context_memory.application.walks.asking import Asking
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import CompanyJob
    from context_memory.domain.walks import Walk
    from context_memory.ports.companies import Companies
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserTable

SCHEDULE = "schedule"
"""Who asks for the walks of every week."""


def expiry(company_id: str, due: date) -> AgendaEntry:
    """The entry that has a company looked through for users who are away."""
    return AgendaEntry(company_id=company_id, kind=JobKind.EXPIRE, due=due)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireUser:
    """The step of the walk `expire`. Results: `erased`, `would_erase`, `active`, `nothing`."""

    request: RequestErase
    table: UserTable
    clock: Clock

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Erase a user whose last sign of life lies before the company's term; one of whom nothing is kept stays."""
        seen = last_seen(self.table.state(user))
        if seen is None:
            return Line(user_id=user.user_id, result="nothing", listed=False)
        if seen >= months_before(self.clock.now(), json.loads(walk.parameters)["months"]):
            return Line(user_id=user.user_id, result="active", listed=False)
        if walk.dry_run:
            return Line(user_id=user.user_id, result="would_erase", details={"last_seen": seen.date().isoformat()})
        return erased(user, self.request(user, off=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class StartExpiry:
    """The job `expire`: begins this week's walk, and notes the next week's. A death in between is begun again."""

    asking: Asking
    companies: Companies
    agenda: Agenda
    clock: Clock

    def __call__(self, job: CompanyJob, _seconds: float) -> None:
        """Begin a walk, unless the company no longer lets anybody expire."""
        today = self.clock.now().date()
        due = [entry for entry in self.agenda.due(job.company_id, today) if entry.kind is JobKind.EXPIRE]
        months = self.companies.settings(job.company_id).settings.expire_after_months
        if months is not None:
            self.asking.ask(
                job.company_id,
                WalkKind.EXPIRE,
                asked_by=SCHEDULE,
                parameters=json.dumps({"months": months}),
                job_id=f"EXPIRE-{today.isoformat()}",
            )
            # Always a Monday: however often the setting is written, a company has one walk a week.
            self.agenda.note(expiry(job.company_id, today + timedelta(days=7 - today.weekday())))
        for entry in due:
            self.agenda.strike(entry)
