"""Variables of `maintain`."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.budget import BudgetSettings
from context_memory.settings.reading import variable
from context_memory.settings.values import natural, positive


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintainSettings(BudgetSettings):
    """What maintain needs."""

    profile_bucket: str = variable("PROFILE_BUCKET")
    work_bucket: str = variable("WORK_BUCKET")
    user_table: str = variable("USER_TABLE")
    root_folder: str = variable("ROOT_FOLDER")
    turns_queue_url: str = variable("TURNS_QUEUE_URL")
    facts_queue_url: str = variable("FACTS_QUEUE_URL")
    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    event_bus: str = variable("EVENT_BUS")
    receipt_key: str = variable("RECEIPT_KEY")
    erase_settle_seconds: int = variable("ERASE_SETTLE_SECONDS", positive)
    backup_days: int = variable("BACKUP_DAYS", natural)
    write_role_arn: str = variable("WRITE_ROLE_ARN")
    erase_role_arn: str = variable("ERASE_ROLE_ARN")
    lister_role_arn: str = variable("LISTER_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    model_base_url: str = variable("MODEL_BASE_URL", default="")
    model_key_secret_arn: str = variable("MODEL_KEY_SECRET_ARN")
    extraction_model: str = variable("EXTRACTION_MODEL")
    consolidation_model: str = variable("CONSOLIDATION_MODEL")
    scrub_model: str = variable("SCRUB_MODEL")
    model_try_seconds: int = variable("MODEL_TRY_SECONDS", positive, default=60)
    compaction_age_days: int = variable("COMPACTION_AGE_DAYS", positive, default=90)
    sweep_age_seconds: int = variable("SWEEP_AGE_SECONDS", natural, default=86400)
