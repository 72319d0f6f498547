from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.deployed import NOW, SPACE, Deployed, Somebody

pytestmark = pytest.mark.deployed

MESSAGES = [{"role": "user", "content": "I know Rust."}]
TURN: dict[str, Any] = {"turn_id": "t1", "space_id": SPACE, "occurred_at": NOW, "messages": MESSAGES}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"turn_id": "x" * 201}, "turn_id"),
        ({"turn_id": ""}, "turn_id"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "messages.0.role"),
        ({"occurred_at": "soon"}, "occurred_at"),
        ({"occurred_at": "2999-01-01T00:00:00Z"}, "occurred_at"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_wrong_turn_is_refused_with_its_field_and_leaves_nothing(
    deployed: Deployed, lena: Somebody, changes: dict[str, Any], field: str
) -> None:
    answer = deployed.call("POST", f"{lena.path}/turns", content=json.dumps(TURN | changes).encode())
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["field"], problem["status"]) == (field, 422)
    assert answer.headers["x-request-id"]
    assert "Rust" not in answer.text
    assert lena.items() == []
    assert lena.payloads() == []


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_a_body_that_is_no_object_is_refused(deployed: Deployed, lena: Somebody, content: bytes) -> None:
    answer = deployed.call("POST", f"{lena.path}/turns", content=content)
    assert answer.status_code == 422
    assert lena.items() == []


def test_a_body_over_one_megabyte_is_refused(deployed: Deployed, lena: Somebody) -> None:
    answer = deployed.call("POST", f"{lena.path}/turns", content=json.dumps(TURN | {"pad": "x" * 1_000_000}).encode())
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (413, "body_too_large")
    assert lena.items() == []


@pytest.mark.parametrize("segment", ["=41", "x" * 201, "=C3", "a=zz"])
@pytest.mark.parametrize("route", ["memory?space_id=s1", "turns/t1"])
def test_a_user_that_is_not_spelled_as_we_spell_is_refused(deployed: Deployed, segment: str, route: str) -> None:
    answer = deployed.call("GET", f"/v1/companies/acme/users/{segment}/{route}")
    assert (answer.status_code, answer.json()["field"]) == (422, "user_id")


@pytest.mark.parametrize("segment", ["a:", ":b", "a:b:c", "a:=41"])
@pytest.mark.parametrize("route", ["memory?space_id=s1", "turns/t1"])
def test_a_provider_that_is_not_spelled_as_we_spell_is_refused(deployed: Deployed, segment: str, route: str) -> None:
    answer = deployed.call("GET", f"/v1/companies/acme/users/{segment}/{route}")
    assert (answer.status_code, answer.json()["field"]) == (422, "provider")


@pytest.mark.parametrize(
    ("query", "field"),
    [("", "space_id"), ("?space_id=", "space_id"), ("?space_id=s1&web_search=perhaps", "web_search")],
)
def test_a_load_with_a_wrong_query_is_refused(deployed: Deployed, lena: Somebody, query: str, field: str) -> None:
    answer = deployed.call("GET", f"{lena.path}/memory{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_a_request_without_a_signature_is_refused(deployed: Deployed, lena: Somebody) -> None:
    for method, route in (("GET", "memory?space_id=s1"), ("POST", "turns"), ("GET", "turns/t1")):
        answer = deployed.call(method, f"{lena.path}/{route}", content=json.dumps(TURN).encode(), signed=False)
        assert answer.status_code in {401, 403}
    assert lena.items() == []


def test_a_caller_of_one_company_reaches_no_other(deployed: Deployed) -> None:
    answer = deployed.call("GET", "/v1/companies/globex/users/lena/memory?space_id=s1")
    assert answer.status_code == 403


def test_an_unknown_turn_is_not_found(deployed: Deployed, lena: Somebody) -> None:
    answer = deployed.call("GET", f"{lena.path}/turns/nobody-knows")
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (404, "unknown_turn")


def test_ids_with_every_awkward_character_are_kept_apart(learning: Deployed) -> None:
    ids = ["a/b", "a%2Fb", "..", "*", "a:b", "a&b=c", "\u00e4", "a\u0308", "${aws:PrincipalTag/user_id}", "😀"]
    people = [Somebody.named(learning, f"{user_id} of this test") for user_id in ids]
    for number, somebody in enumerate(people):
        assert somebody.post("t/1?", f"I know language {number}.").status_code == 202
    for number, somebody in enumerate(people):
        assert somebody.done("t/1?")["outcome"] == "updated"
        assert somebody.memory().count("Knows language") == 1
        assert f"Knows language {number}." in somebody.memory()
