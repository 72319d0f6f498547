"""Environments are validated when they are written, not when they are deployed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from infra.environments import DEV, ENVIRONMENTS, BrokenEnvironment, Environment, missing
from infra.environments.finding import found
from infra.environments.model import MOST_COMPANIES
from infra.environments.parts import (
    Alarms,
    Architecture,
    Budget,
    Company,
    Cors,
    FunctionSize,
    Models,
    Oidc,
    Principal,
    Retention,
    Throttle,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OIDC = Oidc(issuer="https://login.example.com", audiences={"web": ("acme",)})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "name must be"),
        ({"name": "d"}, "name must be"),
        ({"name": "Dev"}, "name must be"),
        ({"name": "dev-1"}, "name must be"),
        ({"name": "1dev"}, "name must be"),
        ({"name": "averylongname"}, "name must be"),
        ({"account": "12345678901"}, "account must be 12 digits"),
        ({"account": "my-account"}, "account must be 12 digits"),
        ({"region": "Frankfurt"}, "region must be a region's name"),
        ({"region": "eu-central"}, "region must be a region's name"),
        ({"root_folder": "home-x"}, "root_folder must be"),
        ({"root_folder": "a/b"}, "root_folder must be"),
        ({"root_folder": ""}, "root_folder must be"),
        ({"root_folder": "Memory"}, "root_folder must be"),
        ({"root_folder": ".."}, "root_folder must be"),
        ({"log_level": "debug"}, "log_level must be"),
        ({"companies": {"Acme": Company()}}, "a company's id"),
        ({"companies": {"a": Company()}}, "a company's id"),
        ({"companies": {"-acme": Company()}}, "a company's id"),
        ({"companies": {"acme/x": Company()}}, "a company's id"),
        ({"companies": {f"company-{n}": Company() for n in range(MOST_COMPANIES + 1)}}, "at most 80 companies"),
        ({"oidc": replace(OIDC, audiences={"web": ("acme", "umbrella")})}, "only companies of this environment"),
        ({"companies": {"acme": Company(require_user_token=True)}}, "only where oidc says who signs them"),
        ({"consolidate": replace(DEV.consolidate, timeout_seconds=149)}, "room for a whole chain"),
        ({"model_try_seconds": 0}, "model_try_seconds must fit"),
        ({"model_try_seconds": 301}, "model_try_seconds must fit"),
        ({"extract": replace(DEV.extract, timeout_seconds=59)}, "model_try_seconds must fit into extract's time-out"),
        ({"sweep_age_seconds": 3599}, "sweep_age_seconds must be at least 3600"),
        ({"compaction_age_days": 0}, "compaction_age_days must be at least 1"),
        ({"wait_seconds_first": 0}, "waits must grow"),
        ({"wait_seconds_first": 20, "wait_seconds_max": 10}, "waits must grow"),
        ({"wait_seconds_max": 901}, "waits must grow"),
        ({"flags_seconds": 14}, "flags_seconds must be 15 to 900"),
        ({"flags_seconds": 901}, "flags_seconds must be 15 to 900"),
    ],
)
def test_an_environment_that_no_deployment_could_carry_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        replace(DEV, **changes)


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (lambda: FunctionSize(memory_mb=64, timeout_seconds=10), "memory_mb must be 128 to 10240"),
        (lambda: FunctionSize(memory_mb=20_000, timeout_seconds=10), "memory_mb must be 128 to 10240"),
        (lambda: FunctionSize(memory_mb=512, timeout_seconds=0), "timeout_seconds must be 1 to 900"),
        (lambda: FunctionSize(memory_mb=512, timeout_seconds=901), "timeout_seconds must be 1 to 900"),
        (lambda: replace(DEV.load, reserved_concurrency=0), "0 would switch the function off"),
        (lambda: Throttle(rate=0, burst=1), "let something through"),
        (lambda: Throttle(rate=1, burst=0), "let something through"),
        (lambda: Models(gate="m", consolidation="", scrub="m", small="m", extraction="m"), "each call needs a model"),
        (
            lambda: Models(gate="m", consolidation="m", scrub="m", small="m", extraction="m", allowed={"fast": ""}),
            "each alias of allowed must name a model",
        ),
        (lambda: replace(DEV.models, extraction=""), "each call needs a model"),
        (
            lambda: replace(DEV.models, embedding="", embedding_base_url="https://x"),
            "endpoint of embeddings needs a model",
        ),
        (lambda: replace(DEV.models, extraction_share=0), "extraction_share must be above 0"),
        (lambda: replace(DEV.models, extraction_share=1), "extraction_share must be above 0"),
        (lambda: replace(DEV.models, requests_per_minute=239), "60 to consolidations and 60 to extractions"),
        (lambda: replace(DEV.models, extraction_share=0.9), "60 to consolidations and 60 to extractions"),
        (lambda: Budget(daily_tokens=0), "daily_tokens must be at least 1"),
        (lambda: Budget(saving_share=0), "saving_share must be"),
        (lambda: Budget(saving_share=1.1), "saving_share must be"),
        (lambda: Principal(account="1", role="orchestrator"), "account must be 12 digits"),
        (lambda: Principal(account="1" * 12, role="a/b"), "without path"),
        (lambda: Principal(account="1" * 12, role="*"), "without path"),
        (lambda: Principal(account="\u0661" * 12, role="orchestrator"), "account must be 12 digits"),
        (lambda: Principal(account="1" * 12, role="\u043erchestrator"), "a role's name"),  # a Cyrillic o
        (lambda: replace(OIDC, issuer="http://login.example.com"), "issuer must be an https address"),
        (lambda: replace(OIDC, audiences={}), "each audience must name its companies"),
        (lambda: replace(OIDC, audiences={"web": ()}), "each audience must name its companies"),
        (lambda: replace(OIDC, scope="memory openid"), "scopes must be single words"),
        (lambda: replace(OIDC, export_scope="memory export"), "scopes must be single words"),
        (lambda: replace(OIDC, change_scope="memory"), "who reads may not change"),
        (lambda: replace(OIDC, export_scope="memory"), "who reads may not export"),
        (lambda: replace(OIDC, user_claim=""), "claims must be named"),
        (lambda: replace(OIDC, audiences={"web app": ("acme",)}), "audiences must be single words"),
        (lambda: replace(OIDC, audiences={"[web": ("acme",)}), "audiences must be single words"),
        (lambda: replace(OIDC, issuer="http://localhost.example.com"), "issuer must be an https address"),
        (lambda: replace(OIDC, issuer="https://"), "issuer must be an https address"),
        (lambda: replace(OIDC, scope=""), "scopes must be single words"),
        (lambda: Retention(logs=15), "logs must be kept"),
        (lambda: Retention(queues=15), "queues keep 1 to 14 days"),
        (lambda: Retention(payloads=13), "payloads must be kept at least as long"),
        (lambda: Retention(audit=0), "audit records must be kept"),
        (lambda: Alarms(address="the night shift"), "must be an e-mail address"),
        (lambda: Alarms(load_error_share=0), "shares must be"),
        (lambda: Alarms(recall_error_share=0), "shares must be"),
        (lambda: Alarms(scrub_veto_share=1), "shares must be"),
        (lambda: Cors(origins=("http://app.example.com",)), "https origins, without path and wildcards"),
        (lambda: Cors(origins=("http://localhost.example.com",)), "https origins, without path and wildcards"),
        (lambda: Cors(origins=("https://app.example.com/",)), "https origins, without path and wildcards"),
        (lambda: Cors(origins=("https://app.example.com\n",)), "https origins, without path and wildcards"),
        (lambda: Cors(origins=("https://*.example.com",)), "https origins, without path and wildcards"),
    ],
)
def test_a_part_that_aws_or_reason_would_refuse_is_refused(part: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        part()


def test_a_key_that_nobody_reads_is_refused() -> None:
    with pytest.raises(TypeError, match="throtles"):
        replace(DEV, throtles=DEV.throttles)  # type: ignore[call-arg] # the slip is what is tested


def test_what_a_company_needs_may_be_said_in_full() -> None:
    caller = Principal(account="1" * 12, role="chat-orchestrator")
    environment = replace(
        DEV, companies={"acme": Company(callers=(caller,), require_user_token=True)}, oidc=OIDC, region="us-gov-west-1"
    )

    assert environment.companies["acme"].callers == (caller,)
    assert environment.region == "us-gov-west-1"


@pytest.mark.parametrize(("allowed", "workers"), [(240, (6, 2)), (500, (12, 4)), (10**6, (1000, 1000))])
def test_consolidations_and_extractions_side_by_side_follow_from_the_models_rate(
    allowed: int, workers: tuple[int, int]
) -> None:
    models = replace(DEV.models, requests_per_minute=allowed)
    assert (models.workers, models.extractors) == workers


def test_environments_are_found_under_their_own_names() -> None:
    assert {name: environment.name for name, environment in ENVIRONMENTS.items()} == {
        name: name for name in ENVIRONMENTS
    }
    # And those that somebody has added, without a word here.
    assert {"dev", "local", "prod", "staging"} <= set(ENVIRONMENTS)


def test_what_must_last_lasts_where_people_rely_on_it() -> None:
    durable = {name for name, environment in ENVIRONMENTS.items() if environment.durable}

    assert durable & {"dev", "local", "prod", "staging"} == {"prod", "staging"}


def test_an_environment_without_a_name_is_answered_with_those_there_are() -> None:
    assert missing("prd").startswith(f"there is no environment 'prd'; there are {', '.join(ENVIRONMENTS)} (a new one")


def test_a_new_file_is_an_environment_by_being_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "from dataclasses import replace\nfrom infra.environments import DEV\nENVIRONMENT = replace(DEV, name='qa')"
    )
    folder = package(tmp_path, monkeypatch, "newhouse", {"qa": source})

    assert found([folder], "newhouse") == {"qa": replace(DEV, name="qa")}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("ENVIRONMENT = 1", r"must hold ENVIRONMENT"),
        ("", r"must hold ENVIRONMENT"),
        ("from infra.environments import DEV as ENVIRONMENT", r"of its own name, and holds 'dev'"),
        (
            "from dataclasses import replace\nfrom infra.environments import DEV\nreplace(DEV, memmory=1)",
            r"unexpected keyword argument 'memmory'",
        ),
        (
            "from dataclasses import replace\nfrom infra.environments import DEV\nreplace(DEV, region='here')",
            r"region must be a region's name",
        ),
        ("ENVIRONMENT = (", r"never closed"),
        ("import nothing_of_that_name", r"nothing_of_that_name"),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, sentence: str
) -> None:
    house = f"house_{tmp_path.name}"  # modules stay loaded: each test needs a package of its own
    folder = package(tmp_path, monkeypatch, house, {"qa": source})

    with pytest.raises(BrokenEnvironment, match=rf"^{house}/qa\.py.*{sentence}"):
        found([folder], house)


def test_each_processor_has_layers_of_its_own() -> None:
    assert [processor.layers for processor in (Architecture.ARM64, Architecture.HOST)] == ["aws", "host"]


def test_every_environment_is_tagged_with_itself() -> None:
    deployed: list[Environment] = [one for one in ENVIRONMENTS.values() if one.architecture is Architecture.ARM64]

    assert [one.tags["environment"] for one in deployed] == [one.name for one in deployed]


def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, modules: dict[str, str]) -> str:
    folder = tmp_path / name
    folder.mkdir()
    for module, source in {"__init__": "", **modules}.items():
        (folder / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    return str(folder)
