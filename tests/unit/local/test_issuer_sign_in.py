"""Signing in at the local issuer: authorization code with PKCE, each code for one use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest

from infra.local.issuer.codes import LASTS_SECONDS, Codes, NotRedeemed, challenge_of
from infra.local.issuer.keys import new_key
from infra.local.issuer.requests import Clients, Request
from infra.local.issuer.server import DISCOVERY, Issuer

if TYPE_CHECKING:
    from collections.abc import Iterator

VERIFIER = "v" * 43
BACK = "http://localhost:1234/"
ASKED = {
    "response_type": "code",
    "client_id": "acme-app",
    "redirect_uri": BACK,
    "scope": "memory memory:change",
    "state": "our-state",
    "code_challenge": challenge_of(VERIFIER),
    "code_challenge_method": "S256",
}
KEY = new_key()
CLIENTS = Clients(
    audiences={"acme-app": ("acme", "acme2")},
    redirects=frozenset({BACK}),
    scopes=frozenset({"memory", "memory:change"}),
)


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer(KEY, clients=CLIENTS) as running:
        yield running


def ask(issuer: Issuer, method: str, path: str, fields: dict[str, str]) -> httpx.Response:
    sent = {"params": fields} if method == "GET" else {"data": fields}
    return httpx.request(method, f"{issuer.url}{path}", trust_env=False, **sent)  # type: ignore[arg-type] # either is fields


def sign_in(issuer: Issuer, **changes: str) -> dict[str, str]:
    """What the address that users are sent back to says."""
    answer = ask(issuer, "POST", "/authorize", ASKED | {"user": "lena", "company": "acme"} | changes)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith(f"{BACK}?")
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def redeem(issuer: Issuer, code: str, **changes: str) -> httpx.Response:
    usual = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": "acme-app",
        "code_verifier": VERIFIER,
    }
    return ask(issuer, "POST", "/token", usual | changes)


def test_its_discovery_says_where_to_sign_in_and_how(issuer: Issuer) -> None:
    said = ask(issuer, "GET", DISCOVERY, {}).json()

    assert said["authorization_endpoint"] == f"{issuer.url}/authorize"
    assert said["token_endpoint"] == f"{issuer.url}/token"
    assert said["code_challenge_methods_supported"] == ["S256"]


def test_who_signs_in_gets_a_token_that_speaks_for_them(issuer: Issuer) -> None:
    back = sign_in(issuer, company="acme2")
    answer = redeem(issuer, back["code"])

    assert (back["state"], back["iss"]) == ("our-state", issuer.url)
    assert answer.headers["access-control-allow-origin"] == "*"
    issued = answer.json()
    claims = jwt.decode(issued["access_token"], KEY.public_key(), algorithms=["RS256"], audience="acme-app")
    assert (claims["sub"], claims["company_id"], claims["iss"]) == ("lena", "acme2", issuer.url)
    assert claims["scope"] == issued["scope"] == "memory memory:change"
    assert claims["exp"] - claims["iat"] == issued["expires_in"]


def test_a_code_is_good_for_one_use(issuer: Issuer) -> None:
    code = sign_in(issuer)["code"]

    assert redeem(issuer, code).status_code == 200
    assert redeem(issuer, code).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [{"code_verifier": "w" * 43}, {"code_verifier": ""}, {"redirect_uri": f"{BACK}other"}, {"client_id": "other"}],
)
def test_a_code_shown_by_another_gives_nothing_and_is_used_up(issuer: Issuer, changes: dict[str, str]) -> None:
    code = sign_in(issuer)["code"]

    refused = redeem(issuer, code, **changes)
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert redeem(issuer, code).status_code == 400


def test_a_code_lasts_a_minute() -> None:
    now = 0.0
    codes = Codes(clock=lambda: now)
    code = codes.issue(Request.read(ASKED, CLIENTS), user_id="lena", company_id="acme")

    now = LASTS_SECONDS + 1
    with pytest.raises(NotRedeemed, match="no longer"):
        codes.redeem({"grant_type": "authorization_code", "code": code})


@pytest.mark.parametrize("wrong", [{"redirect_uri": "http://localhost:1234/other"}, {"client_id": "stranger"}])
def test_nobody_is_sent_to_an_address_or_for_a_client_that_is_not_known(issuer: Issuer, wrong: dict[str, str]) -> None:
    for method in ("GET", "POST"):
        answer = ask(issuer, method, "/authorize", ASKED | {"user": "lena", "company": "acme"} | wrong)

        assert answer.status_code == 400
        assert "location" not in answer.headers


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"scope": "memory everything"}, "invalid_scope"),
        ({"scope": ""}, "invalid_scope"),
    ],
)
def test_a_known_client_hears_what_is_wrong(issuer: Issuer, wrong: dict[str, str], error: str) -> None:
    back = sign_in(issuer, **wrong)

    assert (back["error"], back["state"]) == (error, "our-state")
    assert "code" not in back


@pytest.mark.parametrize("wrong", [{"user": " "}, {"company": "globex"}])
def test_nobody_signs_in_without_a_name_or_for_a_company_that_the_client_does_not_speak_for(
    issuer: Issuer, wrong: dict[str, str]
) -> None:
    answer = ask(issuer, "POST", "/authorize", ASKED | {"user": "lena", "company": "acme"} | wrong)

    assert answer.status_code == 200
    assert "<form" in answer.text


def test_its_form_holds_no_markup_of_others(issuer: Issuer) -> None:
    hostile = '"><script>alert(1)</script>'
    answer = ask(issuer, "GET", "/authorize", ASKED | {"state": hostile})

    assert "<script>" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_only_codes_are_redeemed(issuer: Issuer) -> None:
    answer: Any = redeem(issuer, "x", grant_type="password").json()

    assert answer["error"] == "unsupported_grant_type"


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", ""])
def test_who_calls_it_by_a_name_that_only_leads_here_is_not_answered(issuer: Issuer, name: str) -> None:
    host = {"host": f"{name}:{issuer.port}"}
    for asked in (httpx.get, httpx.post):
        answer = asked(f"{issuer.url}/authorize", headers=host, trust_env=False)
        assert (answer.status_code, answer.content) == (421, b"")
    assert httpx.get(f"http://127.0.0.1:{issuer.port}/.well-known/jwks.json", trust_env=False).status_code == 200
