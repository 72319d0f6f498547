"""A FIFO queue with message groups, and a list of dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.ports.queues import Doorbell, Life
    from context_memory.ports.system import Clock

REMEMBERED = timedelta(minutes=5)
"""How long SQS takes a repeated deduplication id for the same message."""


@dataclass(slots=True)
class _Message:
    doorbell: Doorbell
    visible_at: datetime
    receipt: str | None = None
    received: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A received doorbell; `received` counts how often it was handed out."""

    doorbell: Doorbell
    receipt: str
    received: int


class InMemoryDoorbells:
    """`Doorbells`, and the queue's other end (`receive`, `acknowledge`). `dead` holds user, turn id and reason.

    Args:
        steps: where tests come in.
        clock: for visibility and deduplication.
        visibility: how long a received doorbell stays hidden.
        name: of the queue, for its steps.
    """

    def __init__(
        self,
        *,
        steps: Steps,
        clock: Clock,
        visibility: timedelta = timedelta(minutes=30),
        name: str = "doorbells",
    ) -> None:
        self.dead: list[tuple[UserKey, str, str]] = []
        self._steps = steps
        self._clock = clock
        self._visibility = visibility
        self._name = name
        self._messages: list[_Message] = []
        self._reported: set[tuple[UserKey, str, int, int, str]] = set()
        self._rung: dict[tuple[UserKey, str], datetime] = {}
        self._receipts = count(1)
        self._lock = Lock()

    def ring(self, doorbell: Doorbell) -> None:
        """Put a doorbell into the user's group; within five minutes the same `ring_id` is one message."""
        with self._steps.step(f"{self._name}.ring"), self._lock:
            now, once_per = self._clock.now(), (doorbell.user, doorbell.ring_id)
            last = self._rung.get(once_per)
            if last is None or now - last >= REMEMBERED:
                self._rung[once_per] = now
                self._messages.append(_Message(doorbell, visible_at=now))

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received doorbell again after `seconds`; its group stays blocked until then."""
        with self._steps.step(f"{self._name}.postpone"), self._lock:
            for message in self._messages:
                if message.receipt == receipt and message.visible_at > self._clock.now():
                    message.visible_at = self._clock.now() + timedelta(seconds=seconds)

    def report_dead(self, user: UserKey, life: Life, reason: str) -> None:
        """Tell the dead letters of a turn that was given up, once for each of its lives."""
        with self._steps.step(f"{self._name}.report_dead"), self._lock:
            reported = (user, life.turn_id, life.epoch, life.ring, reason)
            if reported not in self._reported:
                self._reported.add(reported)
                self.dead.append((user, life.turn_id, reason))

    def receive(self) -> Delivery | None:
        """The oldest visible doorbell of a group of which none is being answered or postponed."""
        with self._lock:
            now = self._clock.now()
            blocked = {message.doorbell.user for message in self._messages if message.visible_at > now}
            for message in self._messages:
                if message.doorbell.user not in blocked:
                    message.visible_at = now + self._visibility
                    message.receipt = f"receipt-{next(self._receipts)}"
                    message.received += 1
                    return Delivery(message.doorbell, message.receipt, message.received)
        return None

    def acknowledge(self, receipt: str) -> None:
        """Remove a received doorbell."""
        with self._lock:
            self._messages = [message for message in self._messages if message.receipt != receipt]
