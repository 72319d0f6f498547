"""What travels through queues: ids and reasons, never text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord


@dataclass(frozen=True, slots=True)
class Doorbell:
    """Ids only: somebody should look at this user's open turns. `ring_id` makes rings of one reason one message."""

    user: UserKey
    ring_id: str
    kind: str = "turns"


class Doorbells(Protocol):
    """The FIFO queue `turns.fifo` and its dead letters. Messages hold ids and reasons, never text."""

    def ring(self, doorbell: Doorbell) -> None:
        """Put a doorbell into the user's group."""

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received doorbell again after `seconds` (0 to 43,200); its group stays blocked until then."""

    def report_dead(self, user: UserKey, record: TurnRecord, reason: str) -> None:
        """Tell the dead-letter queue of a turn that was given up; once for each of its lives (epoch and ring)."""
