"""How far down the ladder of its daily budget a company is (docs/decisions/0012-the-ladder-is-looked-at.md)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError
from context_memory.domain.spending import Standing, Step, day_of, resets_at

if TYPE_CHECKING:
    from context_memory.domain.spending import DailyBudget
    from context_memory.ports.companies import Budgets
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

ALWAYS = datetime.min.replace(tzinfo=UTC)
"""Since when a company may go on that was not paused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Tells where companies stand; `budget` is the environment's, which a company's flags may change."""

    budgets: Budgets
    budget: DailyBudget
    clock: Clock
    telemetry: Telemetry

    def standing(self, company_id: str, daily_tokens: int | None) -> Standing:
        """Where the company stands now; `daily_tokens` are those of its flags, None for the environment's.

        With the counters out of reach it stands as if nothing were used.
        A guard of cost must not stop the memory: it is there for a day on which too much happens, and a day without
        a count is seldom one.
        """
        now = self.clock.now()
        budget = self.budget.allowing(daily_tokens)
        used, step = None, Step.FULL
        try:
            used = self.budgets.used(company_id, day_of(now))
        except ContextMemoryError as error:
            self.telemetry.warning("a company's spending is unknown", error_type=type(error).__name__)
            self.telemetry.count("budget_unknown_total")
        else:
            step = budget.step(used)
        return Standing(daily_tokens=budget.daily_tokens, used=used, step=step, resets_at=resets_at(now))

    def paused(self, company_id: str, daily_tokens: int | None) -> bool:
        """Whether the company's turns wait for the next day."""
        return self.standing(company_id, daily_tokens).step is Step.PAUSED

    def free_since(self, company_id: str, daily_tokens: int | None) -> datetime | None:
        """Since when the company's turns have had a budget to be worked off with; None while they have none.

        What waited for a budget until 00:00 UTC has waited for a worker only since.
        """
        standing = self.standing(company_id, daily_tokens)
        if standing.step is Step.PAUSED:
            return None
        today = standing.resets_at - timedelta(days=1)
        try:
            used = self.budgets.used(company_id, day_of(today) - timedelta(days=1))
        except ContextMemoryError:
            return ALWAYS
        return today if used >= standing.daily_tokens else ALWAYS


@dataclass(slots=True, kw_only=True)
class Lookout:
    """The ladder as one doorbell sees it: looked at before each chain, and each step told of once."""

    ladder: Ladder
    company_id: str
    telemetry: Telemetry
    step: Step | None = None

    def look(self, daily_tokens: int | None) -> Step:
        """The company's step now."""
        step = self.ladder.standing(self.company_id, daily_tokens).step
        if step is not self.step:
            self.step = step
            self.telemetry.count("budget_steps_total", step=step.value)
            if step is Step.SAVING:
                self.telemetry.event("a company nears its budget of the day", step=step.value)
            elif step is Step.PAUSED:
                self.telemetry.warning("turns wait for the next day's budget", step=step.value)
        return step
