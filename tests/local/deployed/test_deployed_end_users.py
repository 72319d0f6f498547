"""End users see their own memory, and theirs alone, by a token that the gateway and the function both have checked."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization

from infra.local.issuer.keys import key_id, new_key
from infra.local.issuer.tokens import signed
from tests.support.deployed import Deployed, Somebody
from tests.support.end_users import ROUTE, SHARED, ask, claims_of, key_of, see, seen

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.deployed


@pytest.fixture
def known(learning: Deployed, lena: Somebody) -> Somebody:
    """A user of whom one thing is remembered."""
    lena.post("t1", "I know Rust.")
    assert lena.done("t1")["outcome"] == "updated"
    learning.silence()
    return lena


def test_a_user_sees_what_chats_load(deployed: Deployed, known: Somebody) -> None:
    shown = seen(deployed, known.key.user_id)
    bullets = {section["heading"]: section["bullets"] for section in shown["sections"]}
    assert [(one["text"], one["pinned"]) for one in bullets["Skills & Expertise"]] == [("Knows Rust.", False)]
    assert shown["memory"] == known.memory()
    assert (shown["enabled"], shown["reason"], shown["version"]["turn_count"]) == (True, None, 1)
    assert shown["freshness"]["pending"] == 0


def test_an_unchanged_memory_is_not_sent_again(deployed: Deployed, known: Somebody) -> None:
    token = signed(claims_of(deployed, known.key.user_id), key_of(deployed))
    first = ask(deployed, token)
    again = ask(deployed, token, **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["x-memory-pending"]) == (304, b"", "0")


def test_another_users_token_reaches_only_their_own_memory(deployed: Deployed, known: Somebody) -> None:
    for path in (ROUTE, f"{ROUTE}?user_id={known.key.user_id}&sub={known.key.user_id}&company_id=acme"):
        token = signed(claims_of(deployed, f"{known.key.user_id}2"), key_of(deployed))
        answer = ask(deployed, token, path, **{"x-user-id": known.key.user_id})
        assert (answer.status_code, answer.json()["memory"]) == (200, None)
        assert "Rust" not in answer.text


def test_a_token_opens_no_route_of_companies(deployed: Deployed, known: Somebody) -> None:
    token = signed(claims_of(deployed, known.key.user_id), key_of(deployed))
    assert ask(deployed, token, f"{known.path}/memory?space_id=s1").status_code in {401, 403}


def test_a_signature_opens_no_route_of_users(deployed: Deployed) -> None:
    assert deployed.call("GET", ROUTE).status_code == 401


def hmac_with_the_public_key(deployed: Deployed, claims: dict[str, object]) -> str:
    """What a reader that believes the token's own `alg` would take for signed."""
    public = key_of(deployed).public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    header = {"alg": "HS256", "kid": key_id(key_of(deployed)), "typ": "at+jwt"}
    unsigned = f"{_part(header)}.{_part(claims)}"
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(unsigned.encode(), pem)
    return f"{unsigned}.{jwt.utils.base64url_encode(signature).decode()}"


def _part(document: dict[str, Any]) -> str:
    return jwt.utils.base64url_encode(json.dumps(document).encode()).decode()


def unsigned(deployed: Deployed, claims: dict[str, object], signature: str = "") -> str:
    header = {"alg": "none", "kid": key_id(key_of(deployed)), "typ": "at+jwt"}
    return f"{_part(header)}.{_part(claims)}.{signature}"


def tampered(deployed: Deployed, claims: dict[str, object]) -> str:
    """Another user's name under a good signature."""
    header, _, signature = signed(claims | {"sub": "mallory"}, key_of(deployed)).split(".")
    return f"{header}.{_part(claims)}.{signature}"


FORGERIES: dict[str, Callable[[Deployed, dict[str, object]], str]] = {
    "another key": lambda _deployed, claims: signed(claims, new_key()),
    "another key under the known id": lambda deployed, claims: jwt.encode(
        claims, new_key(), algorithm="RS256", headers={"kid": key_id(key_of(deployed))}
    ),
    "no key id": lambda deployed, claims: jwt.encode(claims, key_of(deployed), algorithm="RS256"),
    "alg none": unsigned,
    "alg none with a signature": lambda deployed, claims: unsigned(deployed, claims, "eA"),
    "HMAC with the public key": hmac_with_the_public_key,
    "tampered claims": tampered,
    "expired": lambda deployed, claims: signed(claims | {"exp": int(time.time()) - 10}, key_of(deployed)),
    "not yet valid": lambda deployed, claims: signed(claims | {"nbf": int(time.time()) + 600}, key_of(deployed)),
    "another issuer": lambda deployed, claims: signed(claims | {"iss": "http://localhost:1"}, key_of(deployed)),
    "another audience": lambda deployed, claims: signed(claims | {"aud": "other-app"}, key_of(deployed)),
    "an audience that begins alike": lambda deployed, claims: signed(claims | {"aud": "acme-app2"}, key_of(deployed)),
    "empty parts": lambda _deployed, _claims: "..",
    "no token": lambda _deployed, _claims: "abc",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_token_that_nobody_should_believe_is_refused(deployed: Deployed, known: Somebody, forgery: str) -> None:
    answer = ask(deployed, FORGERIES[forgery](deployed, claims_of(deployed, known.key.user_id)))
    assert answer.status_code == 401
    assert "Rust" not in answer.text


@pytest.mark.parametrize("scope", [None, "", "openid profile", "memories", "Memory"])
def test_a_token_without_the_scope_is_refused_as_an_id_token_is(
    deployed: Deployed, known: Somebody, scope: str | None
) -> None:
    assert see(deployed, known.key.user_id, scope=scope).status_code == 403


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"exp": None}, "exp"),
        ({"token_use": "id"}, "token_use"),
        ({"typ": "ID"}, "typ"),
        ({"at_hash": "x"}, "at_hash"),
        ({"company_id": "acme2"}, "company_id"),
        ({"company_id": "acm"}, "company_id"),
        ({"company_id": "Acme"}, "company_id"),
        ({"company_id": ["acme", "acme2"]}, "company_id"),
        ({"aud": SHARED}, "company_id"),
        ({"aud": SHARED, "company_id": "acm"}, "company_id"),
        ({"aud": ["acme-app", SHARED], "company_id": "acme"}, "aud"),
        ({"sub": "x" * 201}, "sub"),
        ({"sub": ["lena", "max"]}, "sub"),
        ({"sub": {"name": "lena"}}, "sub"),
    ],
)
def test_what_a_believed_token_may_not_say_is_refused_with_the_claims_name_alone(
    deployed: Deployed, known: Somebody, changes: dict[str, object], claim: str
) -> None:
    answer = see(deployed, known.key.user_id, **changes)
    assert (answer.status_code, answer.headers["content-type"]) == (403, "application/problem+json")
    problem = answer.json()
    assert (problem["type"].rpartition(":")[2], problem["claim"]) == ("claim_refused", claim)
    assert "Rust" not in answer.text
    assert known.key.user_id not in answer.text


def test_an_audience_of_several_companies_needs_the_claim_and_shows_that_companys_memory(
    deployed: Deployed, known: Somebody
) -> None:
    user_id = known.key.user_id
    assert "Knows Rust." in seen(deployed, user_id, aud=SHARED, company_id="acme")["memory"]
    assert seen(deployed, user_id, aud=SHARED, company_id="acme2")["memory"] is None
    assert "Knows Rust." in seen(deployed, user_id, aud=[SHARED, "other"], company_id=["acme"])["memory"]


@pytest.mark.parametrize("subject", [7, 12345678901234567890, True, 1.5])
def test_a_user_who_is_no_text_in_the_token_is_refused(deployed: Deployed, subject: object) -> None:
    answer = see(deployed, "nobody", sub=subject)
    assert (answer.status_code, answer.json()["claim"]) == (403, "sub")


def test_a_token_in_the_query_is_refused(deployed: Deployed, known: Somebody) -> None:
    token = signed(claims_of(deployed, known.key.user_id), key_of(deployed))
    for name in ("access_token", "token", "authorization"):
        assert deployed.call("GET", f"{ROUTE}?{name}={token}", signed=False).status_code == 401


def test_weird_ids_are_each_their_own_user(learning: Deployed) -> None:
    ids = ["a#b", "a/b", "a:b", "a%2Fb", "..", "\u00e4", "a\u0308", "l\u0435na", "lena ", "${aws:x}", "*", "\U0001f600"]
    people = [Somebody.named(learning, f"{user_id} of {time.monotonic_ns()}") for user_id in ids]
    for number, somebody in enumerate(people):
        assert somebody.post("t1", f"I know language {number}.").status_code == 202
    for number, somebody in enumerate(people):
        somebody.done("t1")
        memory = seen(learning, somebody.key.user_id)["memory"]
        assert memory.count("Knows language") == 1
        assert f"Knows language {number}." in memory


def test_a_browser_is_not_let_in_where_nobody_asked_for_it(deployed: Deployed, known: Somebody) -> None:
    origin = {"origin": "https://app.acme.example"}
    preflight = deployed.call("OPTIONS", ROUTE, headers=origin | {"access-control-request-method": "GET"}, signed=False)
    assert preflight.status_code >= 400
    answer = ask(deployed, signed(claims_of(deployed, known.key.user_id), key_of(deployed)), **origin)
    for told in (preflight, answer):
        assert not [name for name in told.headers if name.startswith("access-control-")]


def test_what_users_say_in_tokens_is_in_no_log(deployed: Deployed, known: Somebody) -> None:
    user_id = known.key.user_id
    see(deployed, user_id)
    see(deployed, user_id, company_id="acm")
    lines = "\n".join(deployed.lines_of("account"))
    assert "refused a token" in lines
    assert user_id not in lines
    assert "Rust" not in lines
