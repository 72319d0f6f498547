"""The job `erase`: goes on wherever a request or an earlier message ended, until the receipt is final."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.erase.announcing import agenda_entry
from context_memory.domain.company_settings import LONGEST_REVISION_DAYS
from context_memory.domain.errors import CommitRefused, Contended
from context_memory.domain.jobs import LONGEST_DELAY_SECONDS, JobKind
from context_memory.domain.news import News, NewsKind

if TYPE_CHECKING:
    from datetime import date

    from context_memory.application.erase.driving import DriveErase
    from context_memory.application.erase.fencing import Fencing
    from context_memory.domain.erasing import Erasure, Standing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.ports.erasing import Tombstones
    from context_memory.ports.news import NewsStand
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock

_DUE = {
    JobKind.FOLLOW_UP: 0,
    JobKind.CONDENSE: 0,
    JobKind.LEGACY: 0,
    JobKind.EMBED: 0,
    JobKind.CHECK_FACTS: 0,
    JobKind.REDACT: 7,
    JobKind.TIDY: LONGEST_REVISION_DAYS,  # whatever the company keeps today, it may have kept more before
}
"""How many days ahead what is due about a user is noted at most."""
_A_DAY = timedelta(days=1)
_TRIES = 3
_EITHER_SIDE = 3  # the day before, the day itself, the day after


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseJob:
    """Works off one message."""

    jobs: Jobs
    agenda: Agenda
    tombstones: Tombstones
    fence: Fencing
    drive: DriveErase
    news: NewsStand
    clock: Clock

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Go on with a user's erase for at most `seconds`; send the message on where that does not end it.

        Raises:
            Unavailable: the message must come again.
        """
        until = self.clock.monotonic() + seconds
        erasure = self._begun(job)
        if erasure is None:
            return
        erasure = self.drive(job.user, erasure, until, clear=self._clear)
        if erasure.running:
            wait = math.ceil(self.drive.seconds_to_wait(erasure))
            self.jobs.send(job, delay_seconds=min(wait, LONGEST_DELAY_SECONDS))
        else:
            self._ended(job.user, erasure)

    def _begun(self, job: UserJob) -> Erasure | None:
        """The erase to go on with; None when it is over. One whose request died before the fence begins here."""
        for _ in range(_TRIES):
            standing = self.tombstones.standing(job.user)
            if standing.running or job.epoch is None or job.epoch <= standing.epoch:
                return self._going_on(job, standing)
            try:
                return self.fence(job.user, standing, off=job.off, above=job.epoch - 1)
            except CommitRefused:  # somebody else put it up, or changed the user's switch
                continue
        raise Contended("Others keep changing whether the user's memory is on.")

    def _going_on(self, job: UserJob, standing: Standing) -> Erasure | None:
        """The erase that is under way; None when it is over, which is made sure to be known."""
        running = standing.running
        if running is None:
            if standing.erasure and _is_about(job, standing.erasure):
                self._ended(job.user, standing.erasure)  # perhaps whoever lifted the fence died right after
            elif job.entry and job.entry.due < self.clock.now().date():
                # Of a request that died before the fence; a younger entry may be that of one just about to begin.
                self.agenda.strike(job.entry)
            return None
        self._honoured(job, standing)
        # The request may have died between the fence and the ledger.
        self.fence.noted(job.user, running, context_memory=standing.context_memory and not job.off)
        return running

    def _honoured(self, job: UserJob, standing: Standing) -> None:
        """Two erases at once are one; where either was to turn memory off, it is off."""
        if job.off and standing.context_memory and job.epoch == standing.epoch:
            self.tombstones.switch(job.user, standing.epoch, on=False)

    def _ended(self, user: UserKey, erasure: Erasure) -> None:
        """Tell the news, at least once, and then forget that anything was to be done."""
        news = News(
            kind=NewsKind.ERASED,
            user=user,
            epoch=erasure.epoch,
            at=erasure.second_sweep_at or erasure.requested_at,
            counts={kind.value: count for kind, count in erasure.counts.items()},
        )
        self.news.publish([news])
        self.agenda.strike_all(user, {JobKind.ERASE}, _around(erasure, ahead=0))
        if self.tombstones.standing(user).running:  # another erase has begun since: its entry may have gone, too
            self.agenda.note(agenda_entry(user, self.clock))

    def _clear(self, user: UserKey, erasure: Erasure) -> None:
        """Take off the agenda what was due about the user: nothing is left to be done. The erase's own entry stays."""
        for kind, ahead in _DUE.items():
            self.agenda.strike_all(user, {kind}, _around(erasure, ahead=ahead))


def _around(erasure: Erasure, *, ahead: int) -> list[date]:
    """The day before the erase was asked for, and all days until the day after those that are `ahead`."""
    day_before = erasure.requested_at.date() - _A_DAY
    return [day_before + day * _A_DAY for day in range(ahead + _EITHER_SIDE)]


def _is_about(job: UserJob, erasure: Erasure) -> bool:
    """Whether an erase that is over is the one that the job asks for."""
    if job.epoch is not None:
        return job.epoch == erasure.epoch
    return job.due is None or job.due in _around(erasure, ahead=0)
