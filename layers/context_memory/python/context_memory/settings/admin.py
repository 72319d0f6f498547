"""Variables of `admin`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.settings.budget import BudgetSettings
from context_memory.settings.callers import locks, trust_of
from context_memory.settings.models import models_of
from context_memory.settings.reading import variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.callers import CompanyLock
    from context_memory.domain.claims import Trust
    from context_memory.domain.language_models import AllowedModels


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminSettings(BudgetSettings):
    """What admin needs."""

    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    models: AllowedModels = variable("MODELS", models_of)  # noqa: RUF009 - a field, as every `variable` is
    company_locks: Mapping[str, CompanyLock] = variable("COMPANY_LOCKS", locks)
    trust: Trust | None = variable("OIDC", trust_of, default=None)  # noqa: RUF009 - a field, as every `variable` is
