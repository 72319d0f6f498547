"""Variables of `extract`."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.budget import BudgetSettings
from context_memory.settings.reading import variable
from context_memory.settings.values import positive


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractSettings(BudgetSettings):
    """What extract needs."""

    work_bucket: str = variable("WORK_BUCKET")
    user_table: str = variable("USER_TABLE")
    facts_queue_url: str = variable("FACTS_QUEUE_URL")
    facts_dead_letter_queue_url: str = variable("FACTS_DEAD_LETTER_QUEUE_URL")
    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    write_role_arn: str = variable("WRITE_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    model_base_url: str = variable("MODEL_BASE_URL", default="")
    model_key_secret_arn: str = variable("MODEL_KEY_SECRET_ARN")
    extraction_model: str = variable("EXTRACTION_MODEL")
    scrub_model: str = variable("SCRUB_MODEL")
    model_try_seconds: int = variable("MODEL_TRY_SECONDS", positive, default=60)
    wait_seconds_first: int = variable("WAIT_SECONDS_FIRST", positive, default=15)
    wait_seconds_max: int = variable("WAIT_SECONDS_MAX", positive, default=900)
