"""Asking for the condensation of every profile that is over its company's cap, as after the cap was lowered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.jobs import JobKind, UserJob
from context_memory.domain.walks import Line

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.walks import Walk
    from context_memory.ports.companies import Companies
    from context_memory.ports.queues import Jobs
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Condense:
    """The step of the walk `condense`. Results: `asked`, `would_ask`, `fits`."""

    table: UserTable
    companies: Companies
    jobs: Jobs

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Ask for one user's condensation, which finds out by itself whether there is still anything to do."""
        profile, cap = self.table.state(user).current, self.companies.settings(user.company_id).settings.max_tokens
        if profile is None or profile.tokens <= cap:
            return Line(user_id=user.user_id, result="fits", listed=False)
        if walk.dry_run:
            return Line(user_id=user.user_id, result="would_ask", details={"tokens": profile.tokens})
        self.jobs.send(UserJob(kind=JobKind.CONDENSE, user=user))
        return Line(user_id=user.user_id, result="asked", details={"tokens": profile.tokens})
