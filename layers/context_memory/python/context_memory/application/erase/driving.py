"""Taking a running erase as far as time allows: first sweep, provisional receipt, wait, second sweep, final receipt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.erase.sweeping import Finished, OutOfTime
from context_memory.domain.erasing import Stage
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.erase.sealing import Receipts
    from context_memory.application.erase.sweeping import EraseSweep
    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Tombstones
    from context_memory.ports.objects import Roster
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveErase:
    """Goes on with one user's erase, whoever began it."""

    sweep: EraseSweep
    receipts: Receipts
    roster: Roster
    tombstones: Tombstones
    clock: Clock
    telemetry: Telemetry

    def __call__(
        self,
        user: UserKey,
        erasure: Erasure,
        until: float,
        *,
        clear: Callable[[UserKey, Erasure], None] | None = None,
    ) -> Erasure:
        """Sweep, and sweep again once everything that ran before the fence has ended.

        Args:
            user: whose.
            erasure: as it stands.
            until: reading of the monotonic clock at which no further batch is begun.
            clear: takes what is due about the user off the agenda, before the sweep that lifts the fence: whatever is
                noted later belongs to a new life. Without it that sweep is left to the job.

        Returns:
            The erase as it then stands; a running one needs somebody to go on after `seconds_to_wait`.

        Raises:
            Unavailable: a store or the signer; whatever was done stands, and can be gone on with.
        """
        while erasure.running and not self.seconds_to_wait(erasure):
            if erasure.stage is Stage.SWEPT:
                if clear is None:
                    return erasure
                clear(user, erasure)
            try:
                erasure = self._next(user, erasure, until)
            except OutOfTime as over:
                return over.erasure
            except (CommitRefused, Finished):  # somebody else took this step, or all that were left
                now = self.tombstones.standing(user).erasure
                if now is None or now.receipt_id != erasure.receipt_id:
                    return erasure
                erasure = now
        return erasure

    def seconds_to_wait(self, erasure: Erasure) -> float:
        """Seconds until the next sweep may begin."""
        return erasure.seconds_to_wait(self.clock.now(), self.receipts.settling)

    def _next(self, user: UserKey, erasure: Erasure, until: float) -> Erasure:
        before = self.sweep(user, erasure, until)
        # Asked once more: where somebody else has lifted the fence, the marker may be that of a new life.
        self.sweep.still_running(user, before)
        self.roster.strike(user)
        after = self.receipts.sealed(user, before.swept(self.clock.now()))
        self.tombstones.advance(user, before, after)
        self.telemetry.event(
            "swept what was left of a user", stage=after.stage.value, deleted=sum(after.counts.values())
        )
        self.telemetry.count("erasures_total", stage=after.stage.value)
        return after
