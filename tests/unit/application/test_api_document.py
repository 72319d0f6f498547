"""`docs/api.md` against the code: every route, field, problem, outcome and status is there, and nothing else is."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from context_memory.application.answers import load_body, remembered_body, turn_body
from context_memory.contracts.companies import budget_document, flags_document, settings_document
from context_memory.contracts.jobs import job_document
from context_memory.contracts.problems import INTERNAL, KINDS
from context_memory.contracts.spaces import spaces_document
from context_memory.domain.company_settings import CompanySettings, StoredSettings
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.facts.fact import Past
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.spaces import SpaceSettings, StoredSpace
from context_memory.domain.spending import Standing, Step
from context_memory.domain.walks import Line, Page, Walk, WalkKind, WalkStatus
from infra.components.routes import ROUTES
from tests.support.api_page import PAGE, fields_of, fields_shown
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, body
from tests.support.kept_facts import put
from tests.support.stored_facts import kept

if TYPE_CHECKING:
    from tests.support.house import House

USER = "/v1/companies/{company_id}/users/{user_id}"


def test_every_route_has_a_section_and_every_section_of_a_route_is_one() -> None:
    assert set(re.findall(r"^## `([A-Z]+ /[^`]+)`$", PAGE, re.MULTILINE)) == {route.key for route in ROUTES}


def test_every_problem_stands_there_with_its_status_and_nothing_else_does() -> None:
    table = PAGE.split("\n## Errors\n")[1]
    rows = re.findall(r"^\| ([0-9]{3}) \| ([^|]+) \|", table, re.MULTILINE)
    told = {(name, int(status)) for status, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == {(name, status) for _, status, name, _ in KINDS} | {(INTERNAL, 500)}


@pytest.mark.parametrize("value", [*Outcome, *TurnStatus])
def test_every_outcome_and_status_of_a_turn_is_explained(value: str) -> None:
    assert f"`{value}`" in PAGE


def test_answers_about_a_user_have_exactly_the_fields_that_are_shown(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    assert fields_of(load_body(house.load())) == fields_shown(f"GET {USER}/memory")
    assert fields_of(turn_body(house.record("t1"))) == fields_shown(f"GET {USER}/turns/{{turn_id}}")
    assert fields_of(remembered_body(house.show())) == fields_shown("GET /v1/me/memory")


def test_the_answers_about_spaces_have_exactly_the_fields_that_are_shown() -> None:
    space = StoredSpace(space_id="support", settings=SpaceSettings(), version=1)
    assert fields_of(spaces_document([space], None)) == fields_shown("GET /v1/companies/{company_id}/spaces")


def test_the_report_of_a_job_has_exactly_the_fields_that_are_shown() -> None:
    counts = {"migrated": 11, "nothing": 188, "failed": 1}
    walk = Walk(
        company_id="acme",
        job_id="J",
        kind=WalkKind.MIGRATE,
        status=WalkStatus.RUNNING,
        dry_run=False,
        asked_by="123456789012/administrator",
        asked_at=datetime(2026, 6, 17, tzinfo=UTC),
        counts=counts,
    )
    pages = [Page(number=2, lines=(Line(user_id="lena", result="migrated"),))]
    shown = fields_shown("GET /v1/companies/{company_id}/jobs/{job_id}")
    assert fields_of(job_document(walk, pages, 2)) == shown


def test_answers_to_users_have_exactly_the_fields_that_are_shown(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    house.learns(body(), gate="FORGET")
    house.world.clock.advance(60)
    house.post("t2", "Forget that I live in Basel.")
    house.work()
    house.world.table.write_settings(LENA, replace(house.world.table.state(LENA).settings, erased_at=datetime.now(UTC)))
    told = {
        route: ask(house, route, document, if_match='"0-2"', query=query).body
        for route, document, query in (
            ("PUT /v1/me/memory", {"memory": "## Identity\n- Lives in Bern.\n- \u202e\n"}, None),
            ("GET /v1/me/turns", None, None),
            ("GET /v1/me/settings", None, None),
            ("GET /v1/me/deny-rules", None, None),
        )
    }
    for route, answer in told.items():
        assert fields_of(answer) == fields_shown(route), route
    many = "".join(f"- Fact number {number} about a thing that takes some room here.\n" for number in range(200))
    file = {"memory": f"{many}- Pays from CH93 0076 2011 6238 5295 7.\n", "facts": ["Lives in Basel.", 7]}
    preview = ask(house, "POST /v1/me/import", file, query={"preview": "true"}).body
    assert fields_of(preview) == fields_shown("POST /v1/me/import")
    put(house, a_fact("Works at Novartis.", supersedes=(Past("a" * 20, "Works at Roche.", datetime.now(UTC)),)))
    facts = {"facts": ["Lives in Basel.", 7]}
    for route, document in (("GET /v1/me/facts", None), ("POST /v1/me/facts/import", facts)):
        assert fields_of(ask(house, route, document).body) == fields_shown(route), route
    kept(house.world, "t-kept")
    export = house.export(LENA)
    shown = fields_shown("GET /v1/me/export") | fields_shown("GET /v1/me/settings") | fields_shown("GET /v1/me/turns")
    assert fields_of(export) == shown


def test_the_answer_about_a_company_has_exactly_the_fields_that_are_shown() -> None:
    stored = StoredSettings(settings=CompanySettings(), version=1)
    standing = Standing(daily_tokens=1, used=None, step=Step.FULL, resets_at=datetime(2026, 6, 18, tzinfo=UTC))
    shown = {"flags": flags_document(OperatorFlags()), "budget": budget_document(standing)}
    assert fields_of(settings_document("acme", stored) | shown) == fields_shown("GET /v1/companies/{company_id}")
