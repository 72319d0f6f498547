"""The machine's clock and randomness."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime, timedelta
from threading import Lock

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ULID_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
ULID_RANDOM_BITS = 80
_LENGTH = 26


class SystemClock:
    """`Clock` of the machine."""

    def now(self) -> datetime:
        """Aware UTC time."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never run backwards; for deadlines."""
        return time.monotonic()


class RandomIdentifiers:
    """`Identifiers` from the system's randomness."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = Lock()

    def ulid(self, at: datetime) -> str:
        """26 characters that sort by time of creation; those of one millisecond sort as this object made them."""
        stamp = (at - ULID_EPOCH) // _MILLISECOND << ULID_RANDOM_BITS
        with self._lock:
            same_millisecond = self._last >> ULID_RANDOM_BITS << ULID_RANDOM_BITS == stamp
            self._last = self._last + 1 if same_millisecond else stamp | secrets.randbits(ULID_RANDOM_BITS - 1)
            return spelled(self._last)

    def nonce(self) -> str:
        """8 hex digits that nobody could guess beforehand."""
        return secrets.token_hex(4)


def spelled(number: int) -> str:
    """128 bits in the alphabet of ULIDs, most significant first."""
    return "".join(_CROCKFORD[number >> 5 * place & 31] for place in reversed(range(_LENGTH)))
