"""How much of the function's time is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.ports.system import Clock


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of the monotonic clock after which nothing long may begin."""

    clock: Clock
    at: float

    @classmethod
    def within(cls, clock: Clock, seconds: float) -> Deadline:
        """That many seconds from now."""
        return cls(clock, clock.monotonic() + seconds)

    @property
    def seconds_left(self) -> float:
        """Never negative."""
        return max(0.0, self.at - self.clock.monotonic())
