"""Facts of a space and of a whole company, in words of HTTP: administrators' own, which keep no history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from context_memory.contracts.http import Request
from context_memory.domain.errors import (
    InvalidId,
    InvalidInput,
    MemorySwitchedOff,
    StoreUnavailable,
    UnknownFact,
    VersionConflict,
)
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.jobs import ScopeJob
from tests.support import described

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer
    from tests.support.house import House

COMPANY, SPACE = "/v1/companies/{company_id}", "/v1/companies/{company_id}/spaces/{space_id}"


def ask(house: House, route: str, document: object = None, *, if_match: str | None = None, **path: str) -> Answer:
    """What an administrator of acme is answered about the company, or about a space of it."""
    query: dict[str, str] = {name: path.pop(name) for name in ("limit", "after") if name in path}
    asked = Request(
        route=route,
        request_id="r-1",
        path={"company_id": "acme", **path},
        query=query,
        headers={} if if_match is None else {"if-match": if_match},
        body=json.dumps(document).encode(),
    )
    return house.shared_facts(asked)


def read(answer: Answer) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(answer["body"])


@pytest.fixture(params=[(COMPANY, {}), (SPACE, {"space_id": "sales"})], ids=["company", "space"])
def scope(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """The beginning of the routes of a scope, and what their path names."""
    found: tuple[str, dict[str, str]] = request.param
    return found


def test_a_fact_is_added_shown_changed_and_deleted(house: House, scope: tuple[str, dict[str, str]]) -> None:
    base, path = scope
    added = ask(house, f"POST {base}/facts", {"text": "Expenses are filed by the 5th.", "tier": "core"}, **path)
    assert added["statusCode"] == 201
    one = read(added)["id"]
    assert read(ask(house, f"GET {base}/facts/{{fact_id}}", fact_id=one, **path)) == read(added)
    changed = ask(house, f"PUT {base}/facts/{{fact_id}}", {"text": "They are filed by the 7th."}, fact_id=one, **path)
    assert (read(changed)["tier"], read(changed)["supersedes"]) == ("core", [])
    other = read(changed)["id"]
    assert ask(house, f"DELETE {base}/facts/{{fact_id}}", fact_id=other, **path) == {
        "statusCode": 204,
        "headers": {"cache-control": "no-store"},
    }
    with pytest.raises(UnknownFact):
        ask(house, f"GET {base}/facts/{{fact_id}}", fact_id=other, **path)


def test_scopes_have_nothing_of_one_another(house: House) -> None:
    ask(house, f"POST {COMPANY}/facts", {"text": "Everybody knows."})
    ask(house, f"POST {SPACE}/facts", {"text": "Sales knows."}, space_id="sales")
    (fact,) = read(ask(house, f"GET {SPACE}/facts", space_id="sales"))["facts"]
    assert fact["text"] == "Sales knows."
    assert read(ask(house, f"GET {SPACE}/facts", space_id="sale"))["count"] == 0
    assert house.world.shared_facts.head(SharedScope("acme")).count == 1


def test_an_export_comes_in_pages_that_an_import_takes(house: House, scope: tuple[str, dict[str, str]]) -> None:
    base, path = scope
    lines = "\n".join(f"- Fact number {number}." for number in range(250))
    assert read(ask(house, f"POST {base}/facts/import", {"markdown": lines}, **path))["stored"] == 250
    first = ask(house, f"GET {base}/facts/export", limit="200", **path)
    assert "attachment" in first["headers"]["content-disposition"]
    second = read(ask(house, f"GET {base}/facts/export", limit="200", after=read(first)["next"], **path))
    assert (len(read(first)["facts"]), len(second["facts"]), second["next"], second["count"]) == (200, 50, None, 250)
    told = read(ask(house, f"POST {SPACE}/facts/import", read(first), space_id="other"))
    assert (told["stored"], told["refused"]) == (200, 0)


def test_links_of_administrators_stay(house: House) -> None:
    text = "Travel is booked at [the portal](https://travel.example.com)."
    read(ask(house, f"POST {COMPANY}/facts/import", {"facts": [text]}))
    assert [fact["text"] for fact in read(ask(house, f"GET {COMPANY}/facts"))["facts"]] == [text]


def test_two_administrators_do_not_undo_one_another(house: House) -> None:
    first = ask(house, f"POST {COMPANY}/facts", {"text": "The office closes at 18:00."})
    one, etag = read(first)["id"], first["headers"]["etag"]
    ask(house, f"PUT {COMPANY}/facts/{{fact_id}}", {"tier": "core"}, fact_id=one, if_match=etag)
    with pytest.raises(VersionConflict):
        ask(house, f"PUT {COMPANY}/facts/{{fact_id}}", {"tier": "archival"}, fact_id=one, if_match=etag)


@pytest.mark.parametrize("text", ["Pays from CH93 0076 2011 6238 5295 7.", "\u202e", "x" * 501])
def test_what_no_memory_holds_no_shared_one_does(house: House, text: str) -> None:
    with pytest.raises(InvalidInput, match="text"):
        ask(house, f"POST {COMPANY}/facts", {"text": text})


def test_a_company_that_is_being_erased_takes_nothing_in(house: House) -> None:
    house.world.companies.close("acme", "01WALK")
    for route, document in (("POST {}/facts", {"text": "x y"}), ("POST {}/facts/import", {"facts": ["x y"]})):
        with pytest.raises(MemorySwitchedOff):
            ask(house, route.format(COMPANY), document)


def test_a_path_that_names_no_space_is_refused(house: House) -> None:
    with pytest.raises(InvalidId):
        ask(house, f"GET {SPACE}/facts", space_id="a=zz")


def test_every_answer_is_as_it_is_described(house: House) -> None:
    one = read(ask(house, f"POST {COMPANY}/facts", {"text": "The office closes at 18:00."}))["id"]
    for method, behind, document in (
        ("GET", "", None),
        ("GET", f"/{one}", None),
        ("GET", "/export", None),
        ("POST", "/import", {"jsonl": '"x y"\n{'}),
    ):
        path = "{fact_id}" if behind == f"/{one}" else behind.lstrip("/")
        route = f"{method} {COMPANY}/facts{path and '/'}{path}"
        told = ask(house, route, document, **({"fact_id": one} if path == "{fact_id}" else {}))
        headers = told["headers"] | {"x-request-id": "r-1"}
        sent = httpx.Response(told["statusCode"], headers=headers, text=told["body"])
        described.check(method, f"/v1/companies/acme/facts{behind}", sent)


def test_what_was_written_is_in_the_indexes_once_its_job_is_done(
    house: House, scope: tuple[str, dict[str, str]]
) -> None:
    base, path = scope
    where, indexes = SharedScope("acme", path.get("space_id")), house.world.published.published
    added = read(ask(house, f"POST {base}/facts", {"text": "Expenses are filed by the 5th."}, **path))
    assert house.world.jobs.waiting() == [ScopeJob(scope=where)]
    house.tend()
    (_, version), facts = indexes[where]
    assert (version, set(facts)) == (house.world.shared_facts.head(where).version, {added["id"]})
    ask(house, f"DELETE {base}/facts/{{fact_id}}", fact_id=added["id"], **path)
    house.tend()
    assert indexes[where][1] == {}


def test_a_look_asks_for_nothing_and_a_write_stands_though_nobody_hears_what_follows_it(
    house: House, scope: tuple[str, dict[str, str]]
) -> None:
    base, path = scope

    def deaf(step: str) -> None:
        if step in {"before:jobs.send", "before:agenda.note"}:
            raise StoreUnavailable("as the test wants it")

    house.world.whenever(deaf)
    assert read(ask(house, f"GET {base}/facts", **path))["count"] == 0
    assert house.world.telemetry.total("errors_total", stage="facts_index") == 0
    assert ask(house, f"POST {base}/facts", {"text": "Expenses are filed by the 5th."}, **path)["statusCode"] == 201
    assert house.world.telemetry.total("errors_total", stage="facts_index") == 2


@pytest.mark.parametrize("lost", ["before:jobs.send", "before:agenda.note"])
def test_queue_and_agenda_make_up_for_each_other(house: House, lost: str) -> None:
    def deaf(step: str) -> None:
        if step == lost:
            raise StoreUnavailable("as the test wants it")

    house.world.whenever(deaf)
    ask(house, f"POST {SPACE}/facts", {"text": "Expenses are filed by the 5th."}, space_id="sales")
    house.world.whenever(lambda _: None)
    house.world.clock.advance(86_400)
    house.ring_agenda()
    house.tend()
    assert len(house.world.published.published[SharedScope("acme", "sales")][1]) == 1
    assert house.world.agenda.due("acme", house.world.clock.now().date()) == []
