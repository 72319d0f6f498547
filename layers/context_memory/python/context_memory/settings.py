"""The environment as frozen values. Nothing else in the service reads environment variables.

Each function has settings of its own, so that it starts with what it needs and refuses to start without it.
Dataclasses and no validation library: load reads them on every cold start.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.claims import Trust
from context_memory.domain.language_models import AllowedModels
from context_memory.domain.limits import ChainLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _typeshed import DataclassInstance


ABOUT = {
    "BACKUP_DAYS": "how many days the user table can be set back, and so what was erased be brought back",
    "COMPANY_LOCKS": "JSON: companies that named their callers (`account/role`) or require users' tokens",
    "COMPANY_TABLE": "table of companies: what their administrators set, and what each has spent",
    "CONSOLIDATION_MODEL": "model that rewrites and condenses profiles",
    "DAILY_TOKENS": "model tokens that a company may use on a day of UTC, unless its flags say otherwise",
    "DEAD_LETTER_QUEUE_URL": "queue that is told of turns that were given up",
    "EVENT_BUS": "bus on which news of memories are told",
    "ERASE_SETTLE_SECONDS": "time between the two sweeps of an erase: longer than any function can run",
    "ERASE_ROLE_ARN": "role that also lists and deletes versions, for one user",
    "FLAGS_CONFIGURATION": "AppConfig's application, environment and profile of the operator's switches, with slashes",
    "FLAGS_SECONDS": "how long flags and settings of a company are kept before they are looked up again",
    "FLAGS_STALE_SECONDS": "how long flags and settings serve that are known, while what holds is out of reach",
    "GATE_MODEL": "model that decides whether a turn matters",
    "HASH_SECRET_ARN": "secret that keys all hashes: of what users say, and of who they are",
    "JOBS_QUEUE_URL": "standard queue of jobs",
    "LISTER_ROLE_ARN": "role that lists a company's users and reads none of them",
    "MODEL_BASE_URL": "OpenAI-compatible endpoint up to and with `/v1`; OpenAI's own when empty",
    "MODEL_KEY_SECRET_ARN": "secret that holds the endpoint's key",
    "MODEL_TRY_SECONDS": "longest time for one try of a model call; three tries, within what is left of the chain",
    "OIDC": "JSON: whose tokens of end users are believed, and the companies that each audience may speak for",
    "POWERTOOLS_METRICS_NAMESPACE": "namespace of the metrics, one for each environment",
    "MODELS": "JSON: models that spaces and turns may choose, each under an alias",
    "PROFILE_BUCKET": "versioned bucket of the profiles",
    "READ_ROLE_ARN": "role that reads one user's data",
    "RECEIPT_KEY": "alias of the key that signs receipts of erasures",
    "REQUEST_SECONDS": "how long the function may take for a request",
    "ROOT_FOLDER": "folder of the profile within a user's home",
    "SAVING_SHARE": "share of the day's tokens from which on the small model answers the gate",
    "SCRUB_MODEL": "model that applies the content policy",
    "SMALL_MODEL": "model that answers the gate of a company that has to save",
    "SWEEP_AGE_SECONDS": "age at which a version that nothing names is removed",
    "TURNS_QUEUE_URL": "FIFO queue of doorbells",
    "USER_TABLE": "table of users, turns and revisions",
    "WAIT_SECONDS_FIRST": "first wait when the world is at fault; it doubles",
    "WAIT_SECONDS_MAX": "longest wait",
    "WORK_BUCKET": "bucket of what waits to be consolidated",
    "WRITE_ROLE_ARN": "role that reads and writes one user's data",
}
"""What each variable is; `docs/settings.md` is made from it."""


class SettingsError(Exception):
    """A variable is missing or wrong; the message names it."""


def _variable(name: str, read: Callable[[str], object] = str, **options: Any) -> Any:  # noqa: ANN401 - as dataclasses.field
    """A field that is read from the variable `name`; one with a `default` may be absent."""
    return field(metadata={"name": name, "read": read}, **options)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _configuration(text: str) -> str:
    """Three names between slashes."""
    if [bool(name) for name in text.split("/")] != [True, True, True]:
        raise ValueError(text)
    return text


def _share(text: str) -> float:
    number = float(text)
    if not 0 < number <= 1:
        raise ValueError(text)
    return number


def _locks(text: str) -> Mapping[str, CompanyLock]:
    """Locks by company; an entry that would lock nothing is a mistake."""
    return {name: _lock(entry) for name, entry in _object(json.loads(text)).items()}


def _lock(entry: object) -> CompanyLock:
    values = _object(entry)
    callers, required = values.pop("callers", []), values.pop("require_user_token", False)
    if values or not isinstance(callers, list) or not isinstance(required, bool) or not (callers or required):
        raise ValueError("COMPANY_LOCKS")
    return CompanyLock(callers=frozenset(_principal(one) for one in callers), require_user_token=required)


def _principal(text: object) -> Principal:
    named = Principal.behind(f"arn:aws:sts::{str(text).replace('/', ':assumed-role/', 1)}/session")
    if named is None:
        raise ValueError("COMPANY_LOCKS")
    return named


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - `read` knows one error
    return dict(value)


def _trust(text: str) -> Trust:
    """A `Trust`: texts, and for each audience a list of companies."""
    value = json.loads(text)
    if not isinstance(value, dict) or set(value) != {one.name for one in fields(Trust)}:
        raise ValueError("OIDC")
    audiences = value.pop("audiences")
    if not isinstance(audiences, dict) or not all(map(_texts, ([*value.values()], *audiences.values()))):
        raise ValueError("OIDC")
    return Trust(audiences={name: tuple(companies) for name, companies in audiences.items()}, **value)


def _texts(value: object) -> bool:
    """Whether it is some texts, none of them empty."""
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _models(text: str) -> AllowedModels:
    """Aliases and models: texts, none of them empty."""
    aliases = _object(json.loads(text))
    if not _texts([*aliases, *aliases.values()]):
        raise ValueError("MODELS")
    return AllowedModels(aliases=aliases)


class _FromEnvironment:
    """Reads its dataclass fields from a mapping of environment variables."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Build from the environment.

        Raises:
            SettingsError: a required variable is absent or empty, or a value does not fit; named, never shown.
        """
        values: dict[str, object] = {}
        for one in fields(cls):
            name, text = one.metadata["name"], environment.get(one.metadata["name"], "")
            if not text:
                if one.default is MISSING:
                    raise SettingsError(f"The environment variable {name} must be set.")
                continue
            try:
                values[one.name] = one.metadata["read"](text)
            except ValueError:
                raise SettingsError(f"The environment variable {name} has no usable value.") from None
        return cls(**values)


def chain_limits(environment: Mapping[str, str]) -> ChainLimits:
    """Bounds of the chain; `LIMIT_GATE_EVIDENCE` and its like replace a default.

    Raises:
        SettingsError: a value does not fit.
    """
    values: dict[str, Any] = {}
    for one in fields(ChainLimits):
        name = f"LIMIT_{one.name.upper()}"
        if text := environment.get(name):
            try:
                values[one.name] = float(text) if one.name.endswith("_share") else _positive(text)
            except ValueError:
                raise SettingsError(f"The environment variable {name} has no usable value.") from None
    return ChainLimits(**values)


def variables(settings: type[DataclassInstance]) -> Mapping[str, bool]:
    """Names of the variables a function reads, and whether each must be set; infra's tests compare."""
    return {one.metadata["name"]: one.default is MISSING for one in fields(settings)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyWideSettings(_FromEnvironment):
    """What a function needs that asks what is switched and set for a company."""

    metrics_namespace: str = _variable("POWERTOOLS_METRICS_NAMESPACE")
    company_table: str = _variable("COMPANY_TABLE")
    flags_configuration: str = _variable("FLAGS_CONFIGURATION", _configuration)
    flags_seconds: int = _variable("FLAGS_SECONDS", _positive, default=60)
    flags_stale_seconds: int = _variable("FLAGS_STALE_SECONDS", _positive, default=300)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadSettings(CompanyWideSettings):
    """What load needs."""

    profile_bucket: str = _variable("PROFILE_BUCKET")
    user_table: str = _variable("USER_TABLE")
    root_folder: str = _variable("ROOT_FOLDER")
    turns_queue_url: str = _variable("TURNS_QUEUE_URL")
    read_role_arn: str = _variable("READ_ROLE_ARN")
    hash_secret_arn: str = _variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = _variable("COMPANY_LOCKS", _locks)
    trust: Trust | None = _variable("OIDC", _trust, default=None)  # noqa: RUF009 - a field, as every `_variable` is


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSettings(CompanyWideSettings):
    """What account needs."""

    profile_bucket: str = _variable("PROFILE_BUCKET")
    user_table: str = _variable("USER_TABLE")
    root_folder: str = _variable("ROOT_FOLDER")
    work_bucket: str = _variable("WORK_BUCKET")
    jobs_queue_url: str = _variable("JOBS_QUEUE_URL")
    consolidation_model: str = _variable("CONSOLIDATION_MODEL")
    receipt_key: str = _variable("RECEIPT_KEY")
    erase_settle_seconds: int = _variable("ERASE_SETTLE_SECONDS", _positive)
    backup_days: int = _variable("BACKUP_DAYS", _natural)
    request_seconds: int = _variable("REQUEST_SECONDS", _positive)
    read_role_arn: str = _variable("READ_ROLE_ARN")
    write_role_arn: str = _variable("WRITE_ROLE_ARN")
    erase_role_arn: str = _variable("ERASE_ROLE_ARN")
    hash_secret_arn: str = _variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = _variable("COMPANY_LOCKS", _locks)
    trust: Trust | None = _variable("OIDC", _trust, default=None)  # noqa: RUF009 - a field, as every `_variable` is


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings(CompanyWideSettings):
    """What is needed to know where a company stands with its budget."""

    daily_tokens: int = _variable("DAILY_TOKENS", _positive)
    saving_share: float = _variable("SAVING_SHARE", _share)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminSettings(BudgetSettings):
    """What admin needs."""

    jobs_queue_url: str = _variable("JOBS_QUEUE_URL")
    models: AllowedModels = _variable("MODELS", _models)  # noqa: RUF009 - a field, as every `_variable` is
    company_locks: Mapping[str, CompanyLock] = _variable("COMPANY_LOCKS", _locks)
    trust: Trust | None = _variable("OIDC", _trust, default=None)  # noqa: RUF009 - a field, as every `_variable` is


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings(BudgetSettings):
    """What ingest needs."""

    models: AllowedModels = _variable("MODELS", _models)  # noqa: RUF009 - a field, as every `_variable` is
    work_bucket: str = _variable("WORK_BUCKET")
    user_table: str = _variable("USER_TABLE")
    turns_queue_url: str = _variable("TURNS_QUEUE_URL")
    read_role_arn: str = _variable("READ_ROLE_ARN")
    write_role_arn: str = _variable("WRITE_ROLE_ARN")
    hash_secret_arn: str = _variable("HASH_SECRET_ARN")
    company_locks: Mapping[str, CompanyLock] = _variable("COMPANY_LOCKS", _locks)
    trust: Trust | None = _variable("OIDC", _trust, default=None)  # noqa: RUF009 - a field, as every `_variable` is


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateSettings(BudgetSettings):
    """What consolidate needs."""

    profile_bucket: str = _variable("PROFILE_BUCKET")
    work_bucket: str = _variable("WORK_BUCKET")
    user_table: str = _variable("USER_TABLE")
    root_folder: str = _variable("ROOT_FOLDER")
    turns_queue_url: str = _variable("TURNS_QUEUE_URL")
    dead_letter_queue_url: str = _variable("DEAD_LETTER_QUEUE_URL")
    jobs_queue_url: str = _variable("JOBS_QUEUE_URL")
    event_bus: str = _variable("EVENT_BUS")
    write_role_arn: str = _variable("WRITE_ROLE_ARN")
    erase_role_arn: str = _variable("ERASE_ROLE_ARN")
    hash_secret_arn: str = _variable("HASH_SECRET_ARN")
    model_base_url: str = _variable("MODEL_BASE_URL", default="")
    model_key_secret_arn: str = _variable("MODEL_KEY_SECRET_ARN")
    small_model: str = _variable("SMALL_MODEL")
    gate_model: str = _variable("GATE_MODEL")
    consolidation_model: str = _variable("CONSOLIDATION_MODEL")
    scrub_model: str = _variable("SCRUB_MODEL")
    models: AllowedModels = _variable("MODELS", _models)  # noqa: RUF009 - a field, as every `_variable` is
    model_try_seconds: int = _variable("MODEL_TRY_SECONDS", _positive, default=60)
    wait_seconds_first: int = _variable("WAIT_SECONDS_FIRST", _positive, default=15)
    wait_seconds_max: int = _variable("WAIT_SECONDS_MAX", _positive, default=900)
    sweep_age_seconds: int = _variable("SWEEP_AGE_SECONDS", _natural, default=86400)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintainSettings(BudgetSettings):
    """What maintain needs."""

    profile_bucket: str = _variable("PROFILE_BUCKET")
    work_bucket: str = _variable("WORK_BUCKET")
    user_table: str = _variable("USER_TABLE")
    root_folder: str = _variable("ROOT_FOLDER")
    turns_queue_url: str = _variable("TURNS_QUEUE_URL")
    jobs_queue_url: str = _variable("JOBS_QUEUE_URL")
    event_bus: str = _variable("EVENT_BUS")
    receipt_key: str = _variable("RECEIPT_KEY")
    erase_settle_seconds: int = _variable("ERASE_SETTLE_SECONDS", _positive)
    backup_days: int = _variable("BACKUP_DAYS", _natural)
    write_role_arn: str = _variable("WRITE_ROLE_ARN")
    erase_role_arn: str = _variable("ERASE_ROLE_ARN")
    lister_role_arn: str = _variable("LISTER_ROLE_ARN")
    hash_secret_arn: str = _variable("HASH_SECRET_ARN")
    model_base_url: str = _variable("MODEL_BASE_URL", default="")
    model_key_secret_arn: str = _variable("MODEL_KEY_SECRET_ARN")
    consolidation_model: str = _variable("CONSOLIDATION_MODEL")
    scrub_model: str = _variable("SCRUB_MODEL")
    model_try_seconds: int = _variable("MODEL_TRY_SECONDS", _positive, default=60)
    sweep_age_seconds: int = _variable("SWEEP_AGE_SECONDS", _natural, default=86400)
