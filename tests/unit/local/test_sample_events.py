from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from context_memory.contracts.companies import CompanyBody
from context_memory.contracts.facts import FactsFileBody, NewFactBody
from context_memory.contracts.http import Request, expected_etags, version_etag
from context_memory.contracts.jobs import ConfirmBody, JobBody
from context_memory.contracts.links import DeclaredListBody, LinkBody, UnmergeBody
from context_memory.contracts.memory import DenyRulesBody, EditBody, ImportBody, PinsBody, SettingsBody
from context_memory.contracts.messages import DoorbellMessage, FactsDoorbellMessage, parse_job, parse_queued
from context_memory.contracts.spaces import SpaceBody
from context_memory.contracts.turns import TurnBody
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.claims import Trust, whose
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.condemnation import Condemnation
from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.admitting import Written
from context_memory.domain.facts.fact import Tier
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import JobKind
from context_memory.domain.links import Provider
from context_memory.domain.profile import Bullets
from context_memory.domain.spaces import NOT_REGISTERED, SpaceSettings
from context_memory.domain.walks import WalkKind
from infra.components.routes import ROUTES
from infra.environments import LOCAL
from infra.local.replay.reading import read_file
from infra.names import FUNCTIONS

EVENTS = Path(__file__).parents[3] / "events"
NOW = datetime(2026, 6, 17, 12, 0, tzinfo=UTC)


def event(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text())
    return document


@pytest.mark.parametrize("path", sorted(EVENTS.glob("load/*.json")), ids=lambda path: path.stem)
def test_every_load_event_names_its_user_in_the_path(path: Path) -> None:
    request = Request.of(json.loads(path.read_text()))
    assert request.route == "GET /v1/companies/{company_id}/users/{user_id}/memory"
    assert request.user.company_id == "acme"


def test_an_encoded_user_is_read_as_the_id_itself() -> None:
    assert Request.of(event("load/encoded_user")).user.user_id == "zürich/lena"


def test_the_event_of_an_end_user_names_nobody_but_in_its_claims() -> None:
    request = Request.of(event("account/memory"))
    assert LOCAL.oidc is not None
    trust = Trust(**asdict(LOCAL.oidc))
    assert request.route == "GET /v1/me/memory"
    assert (request.path, request.query) == ({}, {})
    assert whose(request.claims, trust) == UserKey("acme", "lena.frei")


@pytest.mark.parametrize("path", sorted(EVENTS.glob("account/*.json")), ids=lambda path: path.stem)
def test_an_end_users_event_has_the_scope_that_its_route_asks_for_and_a_body_that_can_be_read(path: Path) -> None:
    request = Request.of(json.loads(path.read_text()))
    assert LOCAL.oidc is not None
    trust = Trust(**asdict(LOCAL.oidc))
    asked = trust.exporting if path.stem == "export" else trust.changing if request.changes else trust.reading
    user = whose(request.claims, trust, scopes=asked)
    match request.route:
        case "PUT /v1/me/memory":
            assert EditBody.parse(request.body).bullets(user) == Bullets(identity=("Lives in Basel.",))
        case "POST /v1/me/import":
            assert ImportBody.parse(request.body).bullets(user) == Bullets(work=("About me: Lives in Basel.",))
            assert (request.flag("preview") is True) == (request.headers.get("if-match") is None)
        case "POST /v1/me/facts":
            written = Written(text="Works at Novartis in Basel.", tier=Tier.CORE)
            assert NewFactBody.parse(request.body).written() == written
        case "PUT /v1/me/pins":
            assert len(PinsBody.parse(request.body).pins) == 1
        case "PUT /v1/me/settings":
            assert SettingsBody.parse(request.body) == SettingsBody(context_memory=False, confirm=True)
        case "DELETE /v1/me/memory":
            assert request.body == b""
        case "PUT /v1/me/deny-rules":
            assert DenyRulesBody.parse(request.body).rules() == (("my salary",), frozenset({"health"}))
        case "POST /v1/me/unlearn":
            assert UnlearnBody.parse(request.body).condemnation() == Condemnation(chat_ids=frozenset({"chat-1"}))
        case "POST /v1/me/memory/revisions/{n}/restore":
            assert (request.path, request.body) == ({"n": "1"}, b"")
        case route:
            assert route.startswith("GET /v1/me/")


@pytest.mark.parametrize("name", ["turn", "memory_off_for_this_turn", "blank"])
def test_posted_turns_are_bodies_that_ingest_takes(name: str) -> None:
    body = TurnBody.parse(Request.of(event(f"ingest/{name}")).body, NOW)
    assert body.space_id == "everyday"


def test_the_turn_without_messages_is_refused() -> None:
    with pytest.raises(InvalidInput):
        TurnBody.parse(Request.of(event("ingest/no_messages")).body, NOW)


def test_the_status_event_names_its_turn() -> None:
    assert Request.of(event("ingest/status")).path_id("turn_id") == "turn-0001"


@pytest.mark.parametrize("name", ["doorbell", "doorbell_again"])
def test_a_doorbell_carries_ids_and_nothing_that_anybody_said(name: str) -> None:
    (record,) = event(f"consolidate/{name}")["Records"]
    assert DoorbellMessage.parse(record["body"]).user.user_id == "lena.frei"
    assert set(json.loads(record["body"])) == {"company_id", "user_id", "kind"}


def test_a_doorbell_of_facts_is_none_of_turns() -> None:
    (record,) = event("extract/doorbell")["Records"]
    assert FactsDoorbellMessage.parse(record["body"]).user.user_id == "lena.frei"
    with pytest.raises(InvalidInput):
        DoorbellMessage.parse(record["body"])


@pytest.mark.parametrize("path", sorted(EVENTS.glob("maintain/*.json")), ids=lambda path: path.stem)
def test_a_job_is_one_that_maintain_knows(path: Path) -> None:
    document = json.loads(path.read_text())
    if "Records" in document:
        (record,) = document["Records"]
        job: object = parse_queued(record["body"])
        document = json.loads(record["body"])
    else:
        job = parse_job(document)
    assert job
    assert path.stem in {document["job"], f"queued_{document['job']}"}


def test_every_job_has_an_event() -> None:
    jobs = {json.loads(path.read_text()).get("job") for path in EVENTS.glob("maintain/*.json")}
    assert jobs >= {"heal", "compactions", "redrive", "inspect", "pseudonym", *JobKind}


@pytest.mark.parametrize("path", sorted(EVENTS.glob("admin/*.json")), ids=lambda path: path.stem)
def test_every_event_of_an_administrator_is_about_a_company_and_nobody_in_it(path: Path) -> None:
    request = Request.of(json.loads(path.read_text()))
    assert request.route in {route.key for route in ROUTES if route.function == "admin"}
    assert request.path["company_id"] == "acme"
    assert "user_id" not in request.path


def test_events_of_jobs_have_bodies_that_admin_takes() -> None:
    assert JobBody.parse(Request.of(event("admin/job")).body).kind is WalkKind.MIGRATE
    assert ConfirmBody.parse(Request.of(event("admin/job_confirmed")).body).code


def test_the_event_of_a_file_of_facts_asks_what_would_become_of_it() -> None:
    request = Request.of(event("admin/import_facts"))
    assert request.flag("preview") is True
    brought = [line.brought for line in FactsFileBody.parse(request.body).lines()]
    assert brought == [Written(text="Expenses are filed by the 5th.", tier=Tier.CORE)]


def test_the_event_of_new_settings_replaces_one_version_of_them() -> None:
    request = Request.of(event("admin/settings"))
    assert CompanyBody.parse(request.body).settings() == CompanySettings(max_tokens=3000)
    assert expected_etags(request.headers["if-match"]) == frozenset({version_etag(1)})


def test_the_event_of_a_new_space_expects_none_of_that_id() -> None:
    request = Request.of(event("admin/register_space"))
    assert SpaceBody.parse(request.body).settings() == SpaceSettings(max_tokens=1000, consolidation_gate_enabled=False)
    assert expected_etags(request.headers["if-match"]) == frozenset({version_etag(NOT_REGISTERED)})


def test_an_administrator_who_would_switch_memory_on_is_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        CompanyBody.parse(Request.of(event("admin/unknown_setting")).body)
    assert refused.value.field == "context_memory"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_has_an_event(function: str) -> None:
    assert list((EVENTS / function).glob("*.json"))


@pytest.mark.parametrize("path", sorted(EVENTS.glob("conversations/*.json")), ids=lambda path: path.stem)
def test_every_turn_of_the_shipped_conversations_is_accepted(path: Path) -> None:
    for turn in read_file(path, now=NOW, space="s", user="u").turns:
        assert TurnBody.parse(json.dumps(turn.body()).encode(), NOW).turn_id == turn.turn_id
        assert turn.note


def test_the_shipped_conversations_are_enough_for_the_demo() -> None:
    plans = [read_file(path, now=NOW, space="s", user="u") for path in EVENTS.glob("conversations/*.json")]
    turns = [turn for plan in plans for turn in plan.turns]
    assert len(turns) >= 12
    assert len({(turn.user_id, turn.chat_id) for turn in turns}) >= 3
    assert len({turn.user_id for turn in turns}) >= 2


def test_events_of_links_have_bodies_that_admin_takes() -> None:
    assert LinkBody.parse(Request.of(event("admin/link")).body).wish().merge
    wanted = DeclaredListBody.parse(Request.of(event("admin/declared_links")).body).declared()
    assert wanted.links == {Provider("telegram", "4711"): "lena.frei", Provider("slack", "U02"): "mia.rossi"}
    assert UnmergeBody.parse(Request.of(event("admin/unmerge")).body).job_id
