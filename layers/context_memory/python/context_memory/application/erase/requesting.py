"""Asking for an erase: whatever happens after the first message, it will be done.

1. the job's message, to be read after this request's time is over, and the agenda's entry
2. the fence: from now on nothing of before can be written (`Fencing`)
3. the ledger's entry, before anybody is told that the fence stands
4. the first sweep, as far as time allows; the job does the rest
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.erase.announcing import agenda_entry
from context_memory.domain.errors import CommitRefused, Contended, Unavailable, kind_of
from context_memory.domain.jobs import JobKind, UserJob

if TYPE_CHECKING:
    from context_memory.application.erase.driving import DriveErase
    from context_memory.application.erase.fencing import Fencing
    from context_memory.domain.erasing import Erasure, Standing
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Tombstones
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestErase:
    """The use case behind each route that erases a user.

    Attributes:
        request_seconds: time-out of the function that asks; the job's message comes later than that.
        sweep_seconds: how long the request itself may sweep.
    """

    jobs: Jobs
    agenda: Agenda
    tombstones: Tombstones
    fence: Fencing
    drive: DriveErase
    clock: Clock
    telemetry: Telemetry
    request_seconds: int
    sweep_seconds: float

    def __call__(self, user: UserKey, *, off: bool, above: int = 0) -> Erasure:
        """Erase a user, or join the erase that is running.

        Args:
            user: who.
            off: whether memory is off after it; else it is as it was.
            above: the epoch that the new one must be above, where the table has been set back.

        Raises:
            Unavailable: where the job's message was sent it will do it all the same; asking again does no harm.
        """
        until = self.clock.monotonic() + self.sweep_seconds
        for _ in range(_TRIES):
            standing = self.tombstones.standing(user)
            try:
                if running := standing.running:
                    return self._joined(user, standing, running, off=off)
                self._announce(user, max(standing.epoch, above) + 1, off=off)
                erasure = self.fence(user, standing, off=off, above=above)
            except CommitRefused:  # another erase was faster, or has ended just now
                continue
            return self._swept(user, erasure, until)
        raise Contended("Others keep changing whether the user's memory is on.")

    def _announce(self, user: UserKey, epoch: int, *, off: bool) -> None:
        """Make sure of somebody who goes on, before there is anything to go on with."""
        job = UserJob(kind=JobKind.ERASE, user=user, epoch=epoch, off=off)
        self.jobs.send(job, delay_seconds=self.request_seconds)
        self.agenda.note(agenda_entry(user, self.clock))

    def _joined(self, user: UserKey, standing: Standing, running: Erasure, *, off: bool) -> Erasure:
        if off and standing.context_memory:
            self.tombstones.switch(user, standing.epoch, on=False)
            self.fence.noted(user, running, context_memory=False)
        return running

    def _swept(self, user: UserKey, erasure: Erasure, until: float) -> Erasure:
        try:
            return self.drive(user, erasure, until)
        except Unavailable as error:  # the fence stands, and the job's message is on its way
            self.telemetry.warning("leaves an erase to its job", error_type=kind_of(error))
            return erasure
