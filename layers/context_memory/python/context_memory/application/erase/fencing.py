"""The fence: the epoch moves, so that whatever is under way can never be stored, and the ledger knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.erasing import LedgerEntry
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from context_memory.domain.erasing import Erasure, Standing
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Ledger, Tombstones
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Fencing:
    """Puts up the fence, and notes it in the ledger."""

    tombstones: Tombstones
    ledger: Ledger
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry

    def __call__(self, user: UserKey, standing: Standing, *, off: bool, above: int = 0) -> Erasure:
        """Begin an erase on top of how the user stands.

        Raises:
            CommitRefused: the user stands otherwise by now.
            Unavailable: the fence may stand; `noted` must be called before anybody is told.
        """
        now = self.clock.now()
        erasure = standing.fenced(self.identifiers.ulid(now), now, above=above)
        context_memory = standing.context_memory and not off
        try:
            self.tombstones.fence(user, standing, erasure, context_memory=context_memory)
        except StoreUnavailable:  # unknown, not failed
            stands = self.tombstones.standing(user).running
            if stands is None or stands.receipt_id != erasure.receipt_id:
                raise
        self.noted(user, erasure, context_memory=context_memory)
        self.telemetry.event("fenced a user's memory off to erase it")
        self.telemetry.count("erasures_total", stage="requested")
        return erasure

    def noted(self, user: UserKey, erasure: Erasure, *, context_memory: bool) -> None:
        """Note an erase in the ledger, which may know it already."""
        entry = LedgerEntry(epoch=erasure.epoch, erased_at=erasure.requested_at, context_memory=context_memory)
        self.ledger.note(user, entry)
