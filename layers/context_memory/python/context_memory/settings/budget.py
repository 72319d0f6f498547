"""What functions need that look at budgets."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.company_wide import CompanyWideSettings
from context_memory.settings.reading import variable
from context_memory.settings.values import positive, share


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings(CompanyWideSettings):
    """What is needed to know where a company stands with its budget."""

    daily_tokens: int = variable("DAILY_TOKENS", positive)
    saving_share: float = variable("SAVING_SHARE", share)
