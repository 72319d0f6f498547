"""Taking files at the legacy place into the service's own: the first stored profile of their users.

The old file stays until the clean-up that follows each first commit has seen to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.errors import MemorySwitchedOff, ProfileUnreadable, SchemaNewer, kind_of
from context_memory.domain.jobs import JobKind, UserJob
from context_memory.domain.walks import Line
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.walks import Walk
    from context_memory.ports.queues import Jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrate:
    """The step of the walk `migrate`. Results: `migrated`, `would_migrate`, `nothing`, `off`, `unreadable`."""

    change: Change
    jobs: Jobs

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Store a user's old file as it is, where nothing has been stored since; too long a one is condensed later."""
        try:
            if not self.change.look(user).base.legacy:
                return Line(user_id=user.user_id, result="nothing", listed=False)
            if walk.dry_run:
                return Line(user_id=user.user_id, result="would_migrate")
            changed = self.change(user, Writer.MIGRATION, _as_it_is)
        except MemorySwitchedOff:
            return Line(user_id=user.user_id, result="off", listed=False)
        except (ProfileUnreadable, SchemaNewer) as error:
            return Line(user_id=user.user_id, result="unreadable", details={"error": kind_of(error)})
        if not changed.stored:  # somebody was faster, and has moved it with a change of their own
            return Line(user_id=user.user_id, result="nothing", listed=False)
        if changed.tokens > changed.standing.company.max_tokens:
            self.jobs.send(UserJob(kind=JobKind.CONDENSE, user=user))
        return Line(user_id=user.user_id, result="migrated")


def _as_it_is(standing: Standing) -> Wanted | None:
    return Wanted(bullets=standing.bullets, reason="migrated") if standing.base.legacy else None
