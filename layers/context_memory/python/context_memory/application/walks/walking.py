"""The next stretch of a walk: a few users, their lines in the report, the walk moved on, the next message.

Whoever dies anywhere leaves a walk whose stretch is done again: what a step does for a user it may do twice. Whom it
erases it writes down beforehand, for they may be listed no more when their stretch is done again.
Of two workers on one stretch the slower finds the walk moved and stops, so that messages too many come to an end.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, kind_of
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import LONGEST_DELAY_SECONDS, AgendaEntry, JobKind
from context_memory.domain.walks import FAILED, PENDING, Line, Page, Phase, WalkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta

    from context_memory.domain.jobs import WalkJob
    from context_memory.domain.walks import Walk
    from context_memory.ports.objects import Directory
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.walks import Walks

type Step = Callable[[UserKey, Walk], Line | None]
"""Does for one user what the walk is for, and says what came of it. May be called again for the same user.

None: a walk that goes through the company again met the user the first time.
"""

type Afterwards = Callable[[Walk], None]
"""Does what is to be done for the company itself. May be called again."""

STRETCH = 100
"""Users in a stretch at most; a report's page has so many lines."""
_LOOKED_THROUGH = 10
"""Pages that are looked through at once for users to retry."""
_TRIES = "tries"
_ANYWHERE = frozenset({WalkKind.ERASE, WalkKind.MIGRATE})
"""Kinds that are about files at the legacy place, too."""


def nothing_more(walk: Walk) -> None:
    """For kinds of walks that are about users alone."""


def entry_of(walk: Walk) -> AgendaEntry:
    """The entry that has a walk gone on with when its message was lost."""
    return AgendaEntry(company_id=walk.company_id, kind=JobKind.WALK, due=walk.asked_at.date(), job_id=walk.job_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkOn:
    """The job `walk`.

    Attributes:
        at_once: how many users are worked on at the same time.
        closing: how long after a company was closed somebody may still keep something for it: its users are gone
            through again no sooner.
        afterwards: gives what a walk of that kind does once all users were met, and before it says that it is over.
    """

    walks: Walks
    directory: Directory
    step_of: Callable[[WalkKind], Step]
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry
    at_once: int
    closing: timedelta
    afterwards: Callable[[WalkKind], Afterwards] = lambda _: nothing_more

    def __call__(self, job: WalkJob, seconds: float) -> None:
        """Go one stretch, in which no user is begun later than `seconds` from now.

        Raises:
            Unavailable: the world failed all of these users, or the company itself, or the walk could not be moved; it
                waits here.
        """
        walk = self.walks.walk(job.company_id, job.job_id)
        if walk is None or not walk.running:
            if walk is not None and walk.finished_at:
                self.agenda.strike(entry_of(walk))
            return
        if wait := walk.seconds_to_wait(self.clock.now(), self.closing):
            self.jobs.send(job, delay_seconds=min(math.ceil(wait), LONGEST_DELAY_SECONDS))
            return
        end = self.clock.monotonic() + seconds
        before, after, page = self._retried(walk, end) if walk.phase is Phase.RETRY else self._walked(walk, end)
        if _met_everybody(before, after):
            self.afterwards(walk.kind)(after)
        if not self.walks.move(before, after, page):
            self.telemetry.event("somebody else has moved a walk on", walk=walk.kind.value)
            return
        self.telemetry.event(
            "walked a stretch of a company", walk=walk.kind.value, users=after.users, failed=after.failed
        )
        self.telemetry.count("walked_users_total", after.users - walk.users, kind=walk.kind.value)
        if after.running:
            self.jobs.send(job)
            return
        self.agenda.strike(entry_of(after))
        self.telemetry.count("walks_total", kind=walk.kind.value, status=after.status.value)

    def _walked(self, walk: Walk, end: float) -> tuple[Walk, Walk, Page | None]:
        """Meet the next users of the company."""
        users = self._planned(walk) if walk.planned else self._listed(walk)
        if users and walk.vanishing and not walk.planned:
            planned = walk.plans()
            pending = (Line(user_id=user.user_id, result=PENDING) for user in users)
            if not self.walks.move(walk, planned, Page(number=planned.version, lines=tuple(pending))):
                return walk, planned, None
            walk = planned
        met = self._met(users, walk, end)
        cursor = users[len(met) - 1].encoded if met else walk.cursor
        ended = len(met) == len(users) < STRETCH
        lines = [line for line in met if line is not None]
        after = walk.walked(lines, cursor=cursor, ended=ended, at=self.clock.now())
        told = tuple(line for line in lines if line.listed or line.failed)
        number = walk.planned or after.version
        return walk, after, Page(number=number, lines=told) if told or walk.planned else None

    def _listed(self, walk: Walk) -> Sequence[UserKey]:
        if walk.kind is WalkKind.SUMMARISE:  # in most companies, few are those whose turns are kept
            return self.directory.users_with_kept_turns(walk.company_id, after=walk.cursor, limit=STRETCH)
        return self.directory.users(walk.company_id, after=walk.cursor, limit=STRETCH, legacy=walk.kind in _ANYWHERE)

    def _planned(self, walk: Walk) -> Sequence[UserKey]:
        """Those whom a worker wrote down that died before it could tell of them: they may be listed no more."""
        pages = self.walks.pages(walk.company_id, walk.job_id, after=(walk.planned or 0) - 1, limit=1)
        return [UserKey(walk.company_id, line.user_id) for page in pages for line in page.lines]

    def _retried(self, walk: Walk, end: float) -> tuple[Walk, Walk, Page | None]:
        """Meet again those of the next page of the report with whom it failed, once."""
        pages = self.walks.pages(walk.company_id, walk.job_id, after=int(walk.cursor or 0), limit=_LOOKED_THROUGH)
        page = next((page for page in pages if _to_retry(page)), None)
        if page is None:
            cursor, ended = str(pages[-1].number) if pages else walk.cursor, len(pages) < _LOOKED_THROUGH
            return walk, walk.retried((), cursor=cursor, ended=ended, at=self.clock.now()), None
        failed = [UserKey(walk.company_id, line.user_id) for line in _to_retry(page)]
        met = self._met(failed, walk, end)
        lines = [_tried_twice(line) for line in met if line is not None]
        cursor = str(page.number) if len(met) == len(failed) else walk.cursor
        after = walk.retried(lines, cursor=cursor, ended=False, at=self.clock.now())
        now = {line.user_id: line for line in lines}
        return walk, after, Page(number=page.number, lines=tuple(now.get(line.user_id, line) for line in page.lines))

    def _met(self, users: Sequence[UserKey], walk: Walk, end: float) -> list[Line | None]:
        """One answer for each user, in their order, until it is time to end.

        Raises:
            Unavailable: all of several users failed for it: then the world is down, and none of them is to blame.
        """
        step, lines, faults = self.step_of(walk.kind), list[Line | None](), list[Unavailable]()

        def meet(user: UserKey) -> Line | None:
            with self.telemetry.about(user):
                try:
                    return step(user, walk)
                except Exception as error:  # noqa: BLE001 - one user's fault, of whatever kind, must not stop the walk
                    if isinstance(error, Unavailable):
                        faults.append(error)
                    self.telemetry.warning("a walk failed with a user", error_type=type(error).__name__)
                    return Line(user_id=user.user_id, result=FAILED, details={"error": kind_of(error)})

        with ThreadPoolExecutor(self.at_once) as pool:
            for group in batched(users, self.at_once, strict=False):
                if lines and self.clock.monotonic() >= end:
                    break
                lines += pool.map(meet, group)
        if len(lines) > 1 and len(faults) == len(lines):
            raise faults[0]
        return lines


def _met_everybody(before: Walk, after: Walk) -> bool:
    """Whether this was the last stretch but for those with whom it failed."""
    return before.phase is not Phase.RETRY and (after.phase is Phase.RETRY or not after.running)


def _to_retry(page: Page) -> list[Line]:
    return [line for line in page.lines if line.failed and _TRIES not in line.details]


def _tried_twice(line: Line) -> Line:
    """One that failed again says so, and is not met a third time."""
    return replace(line, details={**line.details, _TRIES: 2}) if line.failed else line
