"""Variables of `recall`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.settings.callers import locks, trust_of
from context_memory.settings.company_wide import CompanyWideSettings
from context_memory.settings.reading import variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.callers import CompanyLock
    from context_memory.domain.claims import Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings(CompanyWideSettings):
    """What recall needs."""

    profile_bucket: str = variable("PROFILE_BUCKET")
    root_folder: str = variable("ROOT_FOLDER")
    work_bucket: str = variable("WORK_BUCKET")
    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    user_table: str = variable("USER_TABLE")
    recall_role_arn: str = variable("RECALL_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = variable("COMPANY_LOCKS", locks)
    trust: Trust | None = variable("OIDC", trust_of, default=None)  # noqa: RUF009 - a field, as every `variable` is
