"""Variables of `account`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.settings.callers import locks, trust_of
from context_memory.settings.company_wide import CompanyWideSettings
from context_memory.settings.reading import variable
from context_memory.settings.values import natural, positive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.callers import CompanyLock
    from context_memory.domain.claims import Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSettings(CompanyWideSettings):
    """What account needs."""

    profile_bucket: str = variable("PROFILE_BUCKET")
    user_table: str = variable("USER_TABLE")
    root_folder: str = variable("ROOT_FOLDER")
    work_bucket: str = variable("WORK_BUCKET")
    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    consolidation_model: str = variable("CONSOLIDATION_MODEL")
    receipt_key: str = variable("RECEIPT_KEY")
    erase_settle_seconds: int = variable("ERASE_SETTLE_SECONDS", positive)
    backup_days: int = variable("BACKUP_DAYS", natural)
    request_seconds: int = variable("REQUEST_SECONDS", positive)
    read_role_arn: str = variable("READ_ROLE_ARN")
    write_role_arn: str = variable("WRITE_ROLE_ARN")
    erase_role_arn: str = variable("ERASE_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = variable("COMPANY_LOCKS", locks)
    trust: Trust | None = variable("OIDC", trust_of, default=None)  # noqa: RUF009 - a field, as every `variable` is
