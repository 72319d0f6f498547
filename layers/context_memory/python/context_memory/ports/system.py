"""Time and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Clock(Protocol):
    """Time, as the use cases see it."""

    def now(self) -> datetime:
        """Aware UTC time."""

    def monotonic(self) -> float:
        """Seconds that never run backwards; for deadlines."""


class Identifiers(Protocol):
    """Fresh random names."""

    def ulid(self, at: datetime) -> str:
        """26 characters that sort by time of creation."""

    def nonce(self) -> str:
        """8 hex digits that nobody could guess beforehand."""
