"""Deleting all that is left of a user, batch by batch, until a probe of every place finds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Found, Remains, Tombstones
    from context_memory.ports.system import Clock


class OutOfTime(Exception):
    """Somebody else, or a later message, goes on."""

    def __init__(self, erasure: Erasure) -> None:
        """Keep the erase as it stands."""
        super().__init__("The time for an erase is used up.")
        self.erasure = erasure


class Finished(Exception):
    """Somebody else has finished this erase, and what is found from now on is of a new life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseSweep:
    """Sweeps one user. `places` are swept in their order."""

    places: Sequence[Remains]
    tombstones: Tombstones
    clock: Clock

    def __call__(self, user: UserKey, erasure: Erasure, until: float) -> Erasure:
        """Delete until nothing is found.

        Args:
            user: whose erase is running.
            erasure: as it stands.
            until: reading of the monotonic clock at which no further batch is begun.

        Returns:
            The erase with what was counted.

        Raises:
            OutOfTime: something may be left.
            Finished: the erase is over.
        """
        while True:
            found = 0
            for place in self.places:
                for batch in place.found(user, erasure.epoch):
                    if self.clock.monotonic() >= until:
                        raise OutOfTime(erasure)
                    found += len(batch)
                    erasure = self._deleted(user, erasure, place, batch)
            if not found:
                return erasure

    def _deleted(self, user: UserKey, erasure: Erasure, place: Remains, batch: list[Found]) -> Erasure:
        # Asked after the batch was found: while the erase runs nothing new can be written, so that all of it is old.
        self.still_running(user, erasure)
        place.delete(user, erasure.epoch, batch)
        counted = erasure.counted(found.kind for found in batch)
        try:
            self.tombstones.advance(user, erasure, counted)
        except CommitRefused:
            # Somebody sweeps, too, and may have counted what is in this batch: rather too few than too many.
            return self.still_running(user, erasure)
        return counted

    def still_running(self, user: UserKey, erasure: Erasure) -> Erasure:
        """The same erase as it now stands.

        Raises:
            Finished: it is over.
        """
        running = self.tombstones.standing(user).running
        if running is None or running.receipt_id != erasure.receipt_id:
            raise Finished
        return running
