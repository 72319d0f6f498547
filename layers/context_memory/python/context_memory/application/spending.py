"""What chains cost, written down for their company."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError
from context_memory.domain.spending import day_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from context_memory.domain.turn import Usage
    from context_memory.ports.companies import Budgets
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Writes down what chains cost, once for each; what could not be written goes with the next of this process."""

    budgets: Budgets
    clock: Clock
    telemetry: Telemetry
    owed: dict[tuple[str, date], int] = field(default_factory=dict)
    """Tokens that could not be written yet, by company and day."""

    def __call__(self, company_id: str, usage: Iterable[Usage]) -> None:
        """Write down the calls of one chain, whatever became of it; never fails."""
        today = company_id, day_of(self.clock.now())
        tokens = sum(call.input_tokens + call.output_tokens for call in usage)
        if tokens:
            self.owed[today] = self.owed.get(today, 0) + tokens
        try:
            for (company, on), owed in list(self.owed.items()):
                self.budgets.spend(company, owed, on)
                del self.owed[company, on]
        except ContextMemoryError as error:
            self.telemetry.warning("could not write down what was spent", error_type=type(error).__name__)
            self.telemetry.count("budget_unwritten_total")
