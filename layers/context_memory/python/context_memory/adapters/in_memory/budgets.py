"""What companies have spent, as a counter per day."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from context_memory.adapters.in_memory.steps import Steps


class InMemoryBudgets:
    """`Budgets` in a dictionary."""

    def __init__(self, *, steps: Steps) -> None:
        self._tokens: Counter[tuple[str, date]] = Counter()
        self._lock = Lock()
        self._steps = steps

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day."""
        with self._steps.step("budgets.spend"), self._lock:
            self._tokens[company_id, on] += tokens

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day."""
        with self._steps.step("budgets.used"):
            return self._tokens[company_id, on]
