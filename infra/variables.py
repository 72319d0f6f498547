"""The environment variables of each function: only what it needs.

The names are those of the functions' settings; a test holds the two together.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from infra.components.item_table import RECOVERY_DAYS
from infra.names import LANCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from infra.environments import Environment
    from infra.environments.parts import Models
    from infra.names import Names

LIMIT = "LIMIT_"
_ERASING = ("RECEIPT_KEY", "ERASE_SETTLE_SECONDS", "BACKUP_DAYS")

_EVERYWHERE = (
    "LOG_LEVEL",
    "POWERTOOLS_METRICS_NAMESPACE",
    "TIKTOKEN_CACHE_DIR",
)
_COMPANY = ("COMPANY_TABLE", "FLAGS_CONFIGURATION", "FLAGS_SECONDS", "FLAGS_STALE_SECONDS")
_BUDGET = ("DAILY_TOKENS", "SAVING_SHARE")
_LOCKS = ("COMPANY_LOCKS", "OIDC")
_USERS = ("USER_TABLE", "HASH_SECRET_ARN")
_PROFILE = ("PROFILE_BUCKET", "ROOT_FOLDER", *_USERS)
_MODELS = ("MODEL_BASE_URL", "MODEL_KEY_SECRET_ARN", "CONSOLIDATION_MODEL", "SCRUB_MODEL")
_EMBEDDING = ("EMBEDDING_MODEL", "EMBEDDING_BASE_URL", "EMBEDDING_PREFIXES", "EMBEDDING_KEY_SECRET_ARN")
_FACTS = (*_EMBEDDING, "LANCE_FUNCTION")
_ASKS_MODELS = frozenset({"consolidate", "extract", "maintain"})
_NEEDED = {
    "load": (*_PROFILE, "TURNS_QUEUE_URL", "READ_ROLE_ARN", *_COMPANY, *_LOCKS),
    "ingest": (
        *("WORK_BUCKET", *_USERS, "TURNS_QUEUE_URL", "READ_ROLE_ARN", "WRITE_ROLE_ARN"),
        *(*_COMPANY, *_BUDGET, *_LOCKS, "MODELS"),
    ),
    "recall": (*_PROFILE, "WORK_BUCKET", "JOBS_QUEUE_URL", "RECALL_ROLE_ARN", *_COMPANY, *_LOCKS, *_FACTS),
    "consolidate": (
        *_PROFILE,
        *_BUDGET,
        *("WORK_BUCKET", "TURNS_QUEUE_URL", "DEAD_LETTER_QUEUE_URL", "WRITE_ROLE_ARN", "ERASE_ROLE_ARN"),
        *("FACTS_QUEUE_URL", "JOBS_QUEUE_URL", "EVENT_BUS"),
        *_COMPANY,
        *(*_MODELS, "GATE_MODEL", "SMALL_MODEL", "MODELS"),
        *("MODEL_TRY_SECONDS", "WAIT_SECONDS_FIRST", "WAIT_SECONDS_MAX", "SWEEP_AGE_SECONDS"),
    ),
    "extract": (
        *(*_USERS, *_BUDGET, *_COMPANY),
        *("WORK_BUCKET", "FACTS_QUEUE_URL", "FACTS_DEAD_LETTER_QUEUE_URL", "JOBS_QUEUE_URL", "WRITE_ROLE_ARN"),
        *("MODEL_BASE_URL", "MODEL_KEY_SECRET_ARN", "EXTRACTION_MODEL", "SCRUB_MODEL", *_FACTS),
        *("MODEL_TRY_SECONDS", "WAIT_SECONDS_FIRST", "WAIT_SECONDS_MAX"),
    ),
    "account": (
        *_PROFILE,
        *(*_ERASING, "REQUEST_SECONDS"),
        *("WORK_BUCKET", "JOBS_QUEUE_URL", "READ_ROLE_ARN", "WRITE_ROLE_ARN", "ERASE_ROLE_ARN"),
        *(*_COMPANY, *_LOCKS, "CONSOLIDATION_MODEL", *_FACTS),
    ),
    "maintain": (
        *_PROFILE,
        *(*_COMPANY, *_BUDGET),
        *("WORK_BUCKET", "TURNS_QUEUE_URL", "FACTS_QUEUE_URL", "JOBS_QUEUE_URL", "EVENT_BUS"),
        *(*_ERASING, "SWEEP_AGE_SECONDS", "COMPACTION_AGE_DAYS", "WRITE_ROLE_ARN", "ERASE_ROLE_ARN", "LISTER_ROLE_ARN"),
        *(*_MODELS, "EXTRACTION_MODEL", "MODEL_TRY_SECONDS", *_FACTS),
    ),
    LANCE: ("WORK_BUCKET",),
    "admin": (*_COMPANY, *_BUDGET, *_LOCKS, "MODELS", "JOBS_QUEUE_URL", *_EMBEDDING),
}


def variables_of(function: str, *, environment: Environment, names: Names, url_suffix: str) -> dict[str, str]:
    """Environment variables of a function; `url_suffix` is AWS's domain, such as `amazonaws.com`."""
    values = _all_values(environment, names, url_suffix)
    if function == LANCE:  # it has no use for what the others share
        return {name: values[name] for name in _NEEDED[LANCE]}
    chosen = {name: values[name] for name in (*_EVERYWHERE, *_NEEDED[function])}
    limits = _limits(environment, environment.size(function).timeout_seconds) if function in _ASKS_MODELS else {}
    return {"POWERTOOLS_SERVICE_NAME": function, **chosen, **limits}


def _limits(environment: Environment, timeout_seconds: int) -> dict[str, str]:
    """Bounds of the chain; those that follow from the environment's times can be set otherwise there, too."""
    limits = {
        "run_seconds": timeout_seconds,
        "spread_seconds": environment.spread_seconds,
        **environment.limits,
    }
    return {f"{LIMIT}{name.upper()}": str(value) for name, value in limits.items()}


def _company_locks(environment: Environment, names: Names) -> str:
    """The companies that have locks, and those only."""
    locks = {company_id: _lock(company_id, environment, names) for company_id in environment.companies}
    return json.dumps({name: lock for name, lock in locks.items() if lock}, separators=(",", ":"))


def _oidc(environment: Environment) -> str:
    """Whose tokens are believed; empty where nobody's are."""
    return json.dumps(asdict(environment.oidc), separators=(",", ":")) if environment.oidc else ""


def _lock(company_id: str, environment: Environment, names: Names) -> dict[str, object]:
    company = environment.companies[company_id]
    callers = [f"{caller.account}/{caller.role}" for caller in company.callers]
    if company.callers_elsewhere(environment.account):
        # They take the company's role here, and the API sees nothing but that.
        callers.append(f"{names.account}/{names.caller_role(company_id)}")
    pinned: dict[str, object] = {"callers": callers} if callers else {}
    return pinned | ({"require_user_token": True} if company.require_user_token else {})


def _embeddings(models: Models, names: Names) -> Mapping[str, str]:
    """Where vectors are made: at the model's endpoint with its key, unless the environment names another."""
    elsewhere = bool(models.embedding_base_url)
    return {
        "EMBEDDING_MODEL": models.embedding,
        "EMBEDDING_BASE_URL": models.embedding_base_url or models.base_url,
        "EMBEDDING_PREFIXES": json.dumps(dict(models.embedding_prefixes)) if models.embedding_prefixes else "",
        "EMBEDDING_KEY_SECRET_ARN": names.secret_arn(
            names.embedding_key_secret if elsewhere else names.model_key_secret
        ),
    }


def _all_values(environment: Environment, names: Names, url_suffix: str) -> Mapping[str, str]:
    def queue_url(queue: str) -> str:
        return f"https://sqs.{names.region}.{url_suffix}/{names.account}/{queue}"

    def role_arn(role: str) -> str:
        return names.role_arn(names.user_data_role(role))

    return {
        "LOG_LEVEL": environment.log_level,
        "LANCE_FUNCTION": names.function(LANCE) if environment.lance else "",
        "POWERTOOLS_METRICS_NAMESPACE": names.metrics_namespace,
        "TIKTOKEN_CACHE_DIR": environment.tokenizer_folder,
        "PROFILE_BUCKET": names.profile_bucket,
        "WORK_BUCKET": names.work_bucket,
        "USER_TABLE": names.user_table,
        "COMPANY_TABLE": names.company_table,
        "DAILY_TOKENS": str(environment.budget.daily_tokens),
        "SAVING_SHARE": str(environment.budget.saving_share),
        "ROOT_FOLDER": environment.root_folder,
        "TURNS_QUEUE_URL": queue_url(names.turns_queue),
        "DEAD_LETTER_QUEUE_URL": queue_url(names.dead_letter_queue),
        "FACTS_QUEUE_URL": queue_url(names.facts_queue),
        "FACTS_DEAD_LETTER_QUEUE_URL": queue_url(names.facts_dead_letter_queue),
        "JOBS_QUEUE_URL": queue_url(names.jobs_queue),
        "EVENT_BUS": names.event_bus,
        "RECEIPT_KEY": names.receipts_key,
        "ERASE_SETTLE_SECONDS": str(environment.settle_seconds),
        "BACKUP_DAYS": str(RECOVERY_DAYS),
        "REQUEST_SECONDS": str(environment.size("account").timeout_seconds),
        "READ_ROLE_ARN": role_arn("read"),
        "RECALL_ROLE_ARN": role_arn("recall"),
        "WRITE_ROLE_ARN": role_arn("write"),
        "ERASE_ROLE_ARN": role_arn("erase"),
        "LISTER_ROLE_ARN": role_arn("lister"),
        "HASH_SECRET_ARN": names.secret_arn(names.hash_secret),
        "COMPANY_LOCKS": _company_locks(environment, names),
        "OIDC": _oidc(environment),
        "FLAGS_CONFIGURATION": names.flags_configuration,
        "FLAGS_SECONDS": str(environment.flags_seconds),
        "FLAGS_STALE_SECONDS": str(environment.flags_stale_seconds),
        "MODELS": json.dumps(dict(environment.models.allowed), separators=(",", ":"), sort_keys=True),
        "MODEL_BASE_URL": environment.models.base_url,
        "MODEL_KEY_SECRET_ARN": names.secret_arn(names.model_key_secret),
        **_embeddings(environment.models, names),
        "EXTRACTION_MODEL": environment.models.extraction,
        "GATE_MODEL": environment.models.gate,
        "CONSOLIDATION_MODEL": environment.models.consolidation,
        "SCRUB_MODEL": environment.models.scrub,
        "SMALL_MODEL": environment.models.small,
        "MODEL_TRY_SECONDS": str(environment.model_try_seconds),
        "WAIT_SECONDS_FIRST": str(environment.wait_seconds_first),
        "WAIT_SECONDS_MAX": str(environment.wait_seconds_max),
        "COMPACTION_AGE_DAYS": str(environment.compaction_age_days),
        "SWEEP_AGE_SECONDS": str(environment.sweep_age_seconds),
    }
