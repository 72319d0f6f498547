"""Erasing again what a user table that was set back has brought back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.jobs import JobKind, UserJob

if TYPE_CHECKING:
    from context_memory.application.erase.requesting import RequestErase
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Ledger, Tombstones
    from context_memory.ports.queues import Jobs
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What became of one user: `replayed` is 1 where they were erased again, or an old erase goes on."""

    replayed: int
    status: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayErasure:
    """The job `replay_erasure`."""

    ledger: Ledger
    tombstones: Tombstones
    erase: RequestErase
    jobs: Jobs
    telemetry: Telemetry

    def __call__(self, user: UserKey) -> Replayed:
        """Erase a user of whom the ledger knows an erase that the table does not know, in an epoch above both.

        Whoever was off after that erase is off again. An erase that the table knows as running is gone on with.
        """
        entry, standing = self.ledger.newest(user), self.tombstones.standing(user)
        if entry is None or entry.epoch <= standing.epoch:
            if standing.running:
                self.jobs.send(UserJob(kind=JobKind.ERASE, user=user, epoch=standing.epoch))
                return Replayed(replayed=1, status=standing.running.stage.value)
            return Replayed(replayed=0)
        erasure = self.erase(user, off=not entry.context_memory, above=entry.epoch)
        self.telemetry.event("erased a user again whom a restored table had brought back")
        return Replayed(replayed=1, status=erasure.stage.value)
