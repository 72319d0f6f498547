"""Variables of `consolidate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.settings.budget import BudgetSettings
from context_memory.settings.models import models_of
from context_memory.settings.reading import variable
from context_memory.settings.values import natural, positive

if TYPE_CHECKING:
    from context_memory.domain.language_models import AllowedModels


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateSettings(BudgetSettings):
    """What consolidate needs."""

    profile_bucket: str = variable("PROFILE_BUCKET")
    work_bucket: str = variable("WORK_BUCKET")
    user_table: str = variable("USER_TABLE")
    root_folder: str = variable("ROOT_FOLDER")
    turns_queue_url: str = variable("TURNS_QUEUE_URL")
    facts_queue_url: str = variable("FACTS_QUEUE_URL")
    dead_letter_queue_url: str = variable("DEAD_LETTER_QUEUE_URL")
    jobs_queue_url: str = variable("JOBS_QUEUE_URL")
    event_bus: str = variable("EVENT_BUS")
    write_role_arn: str = variable("WRITE_ROLE_ARN")
    erase_role_arn: str = variable("ERASE_ROLE_ARN")
    hash_secret_arn: str = variable("HASH_SECRET_ARN")
    model_base_url: str = variable("MODEL_BASE_URL", default="")
    model_key_secret_arn: str = variable("MODEL_KEY_SECRET_ARN")
    small_model: str = variable("SMALL_MODEL")
    gate_model: str = variable("GATE_MODEL")
    consolidation_model: str = variable("CONSOLIDATION_MODEL")
    scrub_model: str = variable("SCRUB_MODEL")
    models: AllowedModels = variable("MODELS", models_of)  # noqa: RUF009 - a field, as every `variable` is
    model_try_seconds: int = variable("MODEL_TRY_SECONDS", positive, default=60)
    wait_seconds_first: int = variable("WAIT_SECONDS_FIRST", positive, default=15)
    wait_seconds_max: int = variable("WAIT_SECONDS_MAX", positive, default=900)
    sweep_age_seconds: int = variable("SWEEP_AGE_SECONDS", natural, default=86400)
