from __future__ import annotations

import json

import pytest

from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.limits import ChainLimits
from context_memory.settings.account import AccountSettings
from context_memory.settings.admin import AdminSettings
from context_memory.settings.chain import chain_limits
from context_memory.settings.consolidate import ConsolidateSettings
from context_memory.settings.ingest import IngestSettings
from context_memory.settings.load import LoadSettings
from context_memory.settings.maintain import MaintainSettings
from context_memory.settings.reading import SettingsError, variables

ALL = [LoadSettings, IngestSettings, ConsolidateSettings, MaintainSettings, AccountSettings, AdminSettings]
Settings = type[
    LoadSettings | IngestSettings | ConsolidateSettings | MaintainSettings | AccountSettings | AdminSettings
]
OIDC = {
    "issuer": "https://issuer.example",
    "audiences": {"app": ["acme"]},
    "scope": "memory",
    "change_scope": "memory:change",
    "export_scope": "memory:export",
    "user_claim": "sub",
    "company_claim": "org",
}
SPELLED = {
    "FLAGS_CONFIGURATION": "a/b/c",
    "COMPANY_LOCKS": "{}",
    "MODELS": "{}",
    "OIDC": json.dumps(OIDC),
    "SAVING_SHARE": "0.7",
}


def complete(settings: Settings) -> dict[str, str]:
    return {name: SPELLED.get(name, "7") for name in variables(settings)}


@pytest.mark.parametrize("settings", ALL)
def test_a_function_starts_with_all_its_variables(settings: Settings) -> None:
    assert settings.read(complete(settings)) is not None


@pytest.mark.parametrize("settings", ALL)
@pytest.mark.parametrize("value", [None, ""])
def test_a_half_set_environment_is_refused_and_the_variable_named(settings: Settings, value: str | None) -> None:
    for name in [name for name, required in variables(settings).items() if required]:
        environment = complete(settings)
        del environment[name]
        if value is not None:
            environment[name] = value
        with pytest.raises(SettingsError, match=f"{name} must be set"):
            settings.read(environment)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FLAGS_CONFIGURATION", "switches/dev"),
        ("FLAGS_CONFIGURATION", "switches//companies"),
        ("FLAGS_CONFIGURATION", "switches/dev/companies/acme"),
        ("FLAGS_SECONDS", "0"),
        ("DAILY_TOKENS", "0"),
        ("MODELS", "fast"),
        ("MODELS", '["fast"]'),
        ("MODELS", '{"fast": ""}'),
        ("MODELS", '{"": "small-1"}'),
        ("MODELS", '{"fast": 1}'),
        ("SAVING_SHARE", "0"),
        ("SAVING_SHARE", "1.01"),
        ("SAVING_SHARE", "nan"),
        ("WAIT_SECONDS_FIRST", "0"),
        ("SWEEP_AGE_SECONDS", "-1"),
        ("WAIT_SECONDS_MAX", "soon"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_without_being_shown(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} has no usable value") as refused:
        ConsolidateSettings.read(complete(ConsolidateSettings) | {name: value})
    assert value not in str(refused.value).replace(name, "")


@pytest.mark.parametrize(
    "value",
    [
        "[]",
        '{"acme": {}}',
        '{"acme": {"callers": []}}',
        '{"acme": {"require_user_token": false}}',
        '{"acme": {"require_user_token": "yes"}}',
        '{"acme": {"callers": "123456789012/role"}}',
        '{"acme": {"callers": ["12345678901/role"]}}',
        '{"acme": {"callers": ["123456789012/"]}}',
        '{"acme": {"callers": ["123456789012/path/role"]}}',
        '{"acme": {"callers": ["123456789012"]}}',
        '{"acme": {"callers": [null]}}',
        '{"acme": {"callers": ["123456789012/role"], "colour": 1}}',
    ],
)
def test_locks_that_would_lock_nothing_or_cannot_be_read_are_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="COMPANY_LOCKS has no usable value"):
        LoadSettings.read(complete(LoadSettings) | {"COMPANY_LOCKS": value})


def test_locks_are_read_by_company() -> None:
    text = '{"acme": {"callers": ["123456789012/orchestrator"]}, "bank": {"require_user_token": true}}'
    locks = LoadSettings.read(complete(LoadSettings) | {"COMPANY_LOCKS": text}).company_locks
    assert locks == {
        "acme": CompanyLock(callers=frozenset({Principal("123456789012", "orchestrator")})),
        "bank": CompanyLock(require_user_token=True),
    }


def test_each_bound_of_the_chain_can_be_set() -> None:
    assert chain_limits({}) == ChainLimits()
    assert chain_limits({"LIMIT_COALESCED_TURNS": "1"}).coalesced_turns == 1
    assert chain_limits({"LIMIT_GATE_MISS_SHARE": "0.5"}).gate_miss_share == 0.5
    with pytest.raises(SettingsError, match="LIMIT_CALLS_PER_CHAIN"):
        chain_limits({"LIMIT_CALLS_PER_CHAIN": "none"})


def test_whom_to_believe_is_read_as_a_value() -> None:
    trust = AccountSettings.read(complete(AccountSettings)).trust
    assert trust is not None
    assert (trust.issuer, trust.audiences, trust.company_claim) == ("https://issuer.example", {"app": ("acme",)}, "org")


@pytest.mark.parametrize(
    "changes",
    [
        {"audiences": ["app"]},
        {"audiences": {"app": "acme"}},
        {"audiences": {"app": [7]}},
        {"scope": ""},
        {"scope": ["memory"]},
        {"surprise": "x"},
    ],
)
def test_a_trust_that_is_not_spelled_as_the_stacks_spell_it_is_refused(changes: dict[str, object]) -> None:
    environment = complete(AccountSettings) | {"OIDC": json.dumps(OIDC | changes)}
    with pytest.raises(SettingsError, match="OIDC has no usable value"):
        AccountSettings.read(environment)


def test_a_trust_that_leaves_something_open_is_refused() -> None:
    for name in OIDC:
        less = json.dumps({key: value for key, value in OIDC.items() if key != name})
        with pytest.raises(SettingsError, match="OIDC"):
            AccountSettings.read(complete(AccountSettings) | {"OIDC": less})
