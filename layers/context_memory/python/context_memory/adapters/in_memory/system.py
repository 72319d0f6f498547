"""A clock that stands until it is moved, and names that can be foretold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from context_memory.adapters.system import ULID_EPOCH, ULID_RANDOM_BITS, spelled

MONDAY_MORNING = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


class ManualClock:
    """`Clock` that only `advance` moves.

    Args:
        at: aware UTC time to start from.
    """

    def __init__(self, at: datetime = MONDAY_MORNING) -> None:
        self._at = at
        self._elapsed = 0.0

    def now(self) -> datetime:
        """Aware UTC time."""
        return self._at

    def monotonic(self) -> float:
        """Seconds advanced so far."""
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._at += timedelta(seconds=seconds)
        self._elapsed += seconds


class CountingIdentifiers:
    """`Identifiers` that count instead of drawing."""

    def __init__(self) -> None:
        self._count = 0

    def ulid(self, at: datetime) -> str:
        """26 characters that sort by time, then by the order in which they were made."""
        self._count += 1
        return spelled(((at - ULID_EPOCH) // timedelta(milliseconds=1) << ULID_RANDOM_BITS) | self._count)

    def nonce(self) -> str:
        """8 hex digits: the next number."""
        self._count += 1
        return f"{self._count:08x}"
