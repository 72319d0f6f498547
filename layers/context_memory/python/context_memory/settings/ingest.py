"""Variables of `ingest`."""

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
class IngestSettings(BudgetSettings):
    """What ingest needs."""

    models: AllowedModels = variable("MODELS", models_of)  # noqa: RUF009 - a field, as every `variable` is
    work_bucket: str = variable("WORK_BUCKET")
    user_table: str = variable("USER_TABLE")
    turns_queue_url: str = variable("TURNS_QUEUE_URL")
    read_role_arn: str = variable("READ_ROLE_ARN")
    write_role_arn: str = variable("WRITE_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = variable("COMPANY_LOCKS", locks)
    trust: Trust | None = variable("OIDC", trust_of, default=None)  # noqa: RUF009 - a field, as every `variable` is
