"""How long a doorbell waits when the world is not ready."""

from __future__ import annotations

import math
from dataclasses import dataclass

_MOST_DOUBLINGS = 20


@dataclass(frozen=True, slots=True)
class Patience:
    """Waits that double from `first` to `longest` seconds."""

    first: int = 15
    longest: int = 900

    def seconds(self, received: int, asked: float | None) -> int:
        """Whole seconds to wait after the delivery number `received`, at least what the other side asked for.

        Never longer than `longest`, so that a mistaken `Retry-After` cannot park a user's turns.
        """
        doublings = min(max(0, received - 1), _MOST_DOUBLINGS)
        return min(self.longest, max(self.first << doublings, math.ceil(asked or 0)))
