"""Every route of the deployed API is tried with whatever must not open it; a new route is tried without being named."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from botocore.credentials import Credentials

from infra.components.routes import ROUTES, Callers, Route
from infra.local.issuer.keys import new_key
from infra.local.issuer.tokens import signed
from tests.support.administrators import Administrator
from tests.support.end_users import Owner, claims_of, key_of

if TYPE_CHECKING:
    import httpx

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

OF_USERS = [route for route in ROUTES if route.callers is Callers.USERS]
EVERYTHING = "memory memory:change memory:export"
OF_COMPANIES = [route for route in ROUTES if route.callers is Callers.IAM]
MAY = {
    "orchestrator": {
        *("GET .../memory", "POST .../turns", "GET .../turns/{turn_id}"),
        *("POST .../recall", "POST .../citations"),
    },
    "reader": {"GET .../memory", "GET .../turns/{turn_id}"},
}
"""What each kind of caller may beside administrators, who may all there is for their company."""


@pytest.fixture
def known(learning: Deployed, lena: Somebody) -> Somebody:
    """A user of whom one thing is remembered."""
    lena.post("t1", "I know Rust.")
    assert lena.done("t1")["outcome"] == "updated"
    learning.silence()
    return lena


def stands(known: Somebody) -> tuple[object, ...]:
    """All that a change of whatever kind would show in; what became of the turn may still be told meanwhile."""
    items = [item for item in known.items() if not item["sk"]["S"].startswith(("A#OPEN", "TURN#"))]
    return sorted(json.dumps(item, sort_keys=True) for item in items), known.versions(), known.payloads()


def path_of(route: Route, known: Somebody, company_id: str = "acme") -> str:
    """A path of this route about that user."""
    named = {
        "company_id": company_id,
        "user_id": known.key.encoded,
        "turn_id": "t1",
        "space_id": "s1",
        "provider": "slack:u1",
    }
    return route.path.format(**named, fact_id="0" * 20, job_id="01J0000000000000000000000X", n=1)


def document_of(route: Route) -> bytes:
    """A body that the route would take."""
    bodies = {
        "memory": {"sections": []},
        "settings": {"context_memory": False, "confirm": True},
        "pins": {"pins": []},
        "deny-rules": {"phrases": ["Rust"]},
        "import": {"memory": "# User Memory\n\n## Identity\n- Was here.\n"},
        "unlearn": {"turn_ids": ["t1"]},
        "jobs": {"job": "erase"},
        "confirm": {"code": "00000000"},
        "{company_id}": {"closed": True},
        "{space_id}": {"context_memory_enabled": False},
    }
    return json.dumps(bodies.get(route.path.rpartition("/")[2], {})).encode()


def tokens(deployed: Deployed, user_id: str, route: Route) -> dict[str, str]:
    """Tokens of the right user that must open nothing all the same."""
    key, good = key_of(deployed), claims_of(deployed, user_id, scope=EVERYTHING)
    changes: dict[str, dict[str, object]] = {
        "over": {"exp": int(time.time()) - 5},
        "not begun": {"nbf": int(time.time()) + 600},
        "of another issuer": {"iss": "https://issuer.example"},
        "for another audience": {"aud": "other-app"},
        "without a scope": {"scope": ""},
        "with a scope that begins alike": {"scope": "memory:changes memory:"},
        "for a company that its audience may not speak for": {"company_id": "acm"},
        "of identity": {"token_use": "id"},
    }
    if route.changes or route.exports:
        changes["that may only read"] = {"scope": "memory"}
    if route.exports:
        changes["that may only change"] = {"scope": "memory memory:change"}
    else:
        changes["that may only export"] = {"scope": "memory:export"}
    return {name: signed(good | change, key) for name, change in changes.items()} | {
        "under another key": signed(good, new_key())
    }


@pytest.mark.parametrize("route", OF_USERS, ids=lambda route: route.key)
def test_no_wrong_token_opens_a_route_of_users(deployed: Deployed, known: Somebody, route: Route) -> None:
    before, path, body = stands(known), path_of(route, known), document_of(route)

    def asked(headers: dict[str, str], *, signed_too: bool = False) -> httpx.Response:
        sent = {"if-match": '"0-1"', "content-type": "application/json"} | headers
        return deployed.call(route.method, path, content=body, headers=sent, signed=signed_too)

    opened = {
        name: answer.status_code
        for name, token in tokens(deployed, known.key.user_id, route).items()
        if (answer := asked({"authorization": f"Bearer {token}"})).status_code not in {401, 403}
        or "Rust" in answer.text
    }
    good = signed(claims_of(deployed, known.key.user_id, scope=EVERYTHING), key_of(deployed))
    opened |= {
        name: answer.status_code
        for name, answer in {
            "no token": asked({}),
            "a signature": asked({}, signed_too=True),
            "a token in another header": asked({"x-user-token": good}),
            "a token beside another": asked({"authorization": f"Bearer {good}, Bearer {good}"}),
        }.items()
        if answer.status_code not in {401, 403}
    }
    assert opened == {}
    assert stands(known) == before


@pytest.mark.parametrize("route", OF_COMPANIES, ids=lambda route: route.key)
def test_no_wrong_caller_opens_a_route_of_companies(deployed: Deployed, known: Somebody, route: Route) -> None:
    before, body = stands(known), document_of(route)
    short = route.key.replace("/v1/companies/{company_id}/users/{user_id}", "...")
    wrong = {(company, "administrator") for company in ("acm", "acme2")}
    wrong |= {("acme", kind) for kind, may in MAY.items() if short not in may}
    path = path_of(route, known)
    opened = {}
    for company_id, kind in sorted(wrong):
        caller = deployed.local.outputs.caller if kind == "orchestrator" else deployed.local.caller(company_id, kind)
        keys = Credentials(caller.access_key_id, caller.secret_access_key)
        opened[company_id, kind] = deployed.call(route.method, path, content=body, keys=keys).status_code
    token = signed(claims_of(deployed, known.key.user_id, scope=EVERYTHING), key_of(deployed))
    bearer = {"authorization": f"Bearer {token}", "x-user-token": token}
    opened["nobody", "token"] = deployed.call(
        route.method, path, content=body, headers=bearer, signed=False
    ).status_code
    assert set(opened.values()) <= {401, 403}, opened
    assert stands(known) == before


SPELLINGS = (
    "/v1/companies/acm/../acme/users/{user}/{what}",
    "/v1/companies/acm%2F..%2Facme/users/{user}/{what}",
    "/v1/companies/acm//acme/users/{user}/{what}",
    "/v1/companies/acm/users/..%2F..%2F..%2Facme%2Fusers%2F{user}/{what}",
    "/v1/companies/acm/users/{user}%23/{what}",
    "/v1/companies/ACME/users/{user}/{what}",
    "/v1/companies/acme%20/users/{user}/{what}",
    "/v1/companies/acm%00acme/users/{user}/{what}",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_a_path_leads_an_administrator_to_another_companys_user(
    deployed: Deployed, known: Somebody, spelling: str
) -> None:
    before = stands(known)
    other = Administrator(deployed, "acm")
    for method, what in (("GET", "export"), ("GET", "erasure"), ("DELETE", "memory"), ("GET", "memory?space_id=s1")):
        path = spelling.format(user=known.key.encoded, what=what)
        answer = deployed.call(method, path, keys=other.keys)
        assert "Rust" not in answer.text
    assert stands(known) == before


def test_what_a_body_or_a_path_names_is_looked_for_among_the_callers_own(deployed: Deployed, known: Somebody) -> None:
    """Turns, chats, bullets, revisions, exports of another user."""
    theirs = Owner(deployed, known.key.user_id)
    mine = Owner(deployed, f"{known.key.user_id}2")
    before, bullet = stands(known), theirs.get("memory/origins")["bullets"][0]["id"]
    assert theirs.get("memory/revisions/1")["n"] == 1
    assert mine.call("GET", "memory/revisions/1").status_code == 404
    assert mine.call("POST", "memory/revisions/1/restore").status_code == 404
    assert mine.call("PUT", "pins", {"pins": [bullet]}).status_code == 422
    for criterion in ({"turn_ids": ["t1"]}, {"models": ["scripted"]}, {"from": "2020-01-01T00:00:00Z"}):
        preview = mine.call("POST", "unlearn?preview=true", criterion)
        assert (preview.json()["operations"], preview.json()["revisions"]) == ([], [])
        applied = mine.call("POST", "unlearn", criterion, **{"if-match": theirs.etag()})
        assert applied.json().get("changes", {}).get("operations", []) == []
    assert mine.call("POST", "import?preview=true", theirs.get("export")).json()["field"] == "user_id"
    assert mine.call("GET", "erasure").status_code == 404
    assert stands(known) == before


def test_what_another_companys_administrator_knows_of_a_job_is_worth_nothing(deployed: Deployed) -> None:
    """Neither its id nor its code, and what a dry run has looked at is applied to no other company."""
    ours, theirs = Administrator(deployed, "acme"), Administrator(deployed, "acme2")
    dry = ours.call("POST", "/jobs", {"job": "unlearn", "dry_run": True, "unlearn": {"models": ["nobody's"]}}).json()
    erase = ours.call("POST", "/jobs", {"job": "erase"}).json()
    for asked in (
        theirs.call("GET", f"/jobs/{erase['job_id']}"),
        theirs.call("POST", f"/jobs/{erase['job_id']}/confirm", {"code": erase["code"]}),
    ):
        assert (asked.status_code, asked.json()["type"]) == (404, "urn:context-memory:problem:unknown_job")
    applied = theirs.call("POST", "/jobs", {"job": "unlearn", "job_id": dry["job_id"]})
    assert (applied.status_code, applied.json()["field"]) == (422, "job_id")
    assert not theirs.get().json()["closed"]
    assert not ours.get().json()["closed"]
    assert ours.call("GET", f"/jobs/{erase['job_id']}").json()["status"] == "awaiting_confirmation"
