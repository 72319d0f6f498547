"""What companies have spent, asked for seldom: a consolidation must not cost a read of its company's counters."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import StoreUnavailable, Unavailable

if TYPE_CHECKING:
    from datetime import date

    from context_memory.ports.companies import Budgets
    from context_memory.ports.system import Clock

SECONDS = 15.0


@dataclass(slots=True)
class _Seen:
    """What was read of a company, and how long it counts; `used` is None when the counters were out of reach."""

    on: date
    until: float
    used: int | None = None


class CachedBudgets:
    """`Budgets` whose answers count for some seconds; what this process spends meanwhile is added to them.

    That the counters are out of reach is an answer too: who asks next must not wait for the same time-outs again.

    Args:
        budgets: where they are kept.
        clock: tells how old an answer is.
        seconds: how long it counts.
    """

    def __init__(self, budgets: Budgets, clock: Clock, seconds: float = SECONDS) -> None:
        self._budgets = budgets
        self._clock = clock
        self._seconds = seconds
        self._seen: dict[str, _Seen] = {}
        self._lock = Lock()  # held over requests: what is spent during a read would be in it twice, or not at all

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day, there and in what was read of it."""
        with self._lock:
            self._budgets.spend(company_id, tokens, on)
            if (seen := self._fresh(company_id, on)) and seen.used is not None:
                seen.used += tokens

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day, as of some seconds ago."""
        with self._lock:
            seen = self._fresh(company_id, on)
            if seen is None:
                seen = self._seen[company_id] = self._read(company_id, on)
        if seen.used is None:
            raise StoreUnavailable("The counters of spending are out of reach.")
        return seen.used

    def _read(self, company_id: str, on: date) -> _Seen:
        try:
            used = self._budgets.used(company_id, on)
        except Unavailable:
            used = None
        return _Seen(on, self._clock.monotonic() + self._seconds, used)

    def _fresh(self, company_id: str, on: date) -> _Seen | None:
        seen = self._seen.get(company_id)
        return seen if seen and seen.on == on and self._clock.monotonic() < seen.until else None
