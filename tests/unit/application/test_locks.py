"""The locks of companies, tried on requests as the gateway hands them over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.in_memory.user_tokens import InMemoryUserTokens
from context_memory.application.locks import Locks, TokenReader
from context_memory.contracts.http import Request
from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.claims import Trust
from context_memory.domain.errors import (
    CallerNotPinned,
    InvalidId,
    IssuerUnavailable,
    UserTokenInvalid,
    UserTokenOfAnother,
    UserTokenRequired,
)
from context_memory.domain.ids import encode

ACCOUNT = "123456789012"
TRUST = Trust(
    issuer="https://issuer.example",
    audiences={"bank-app": ("bank",), "shared-app": ("bank", "clinic"), "acme-app": ("acme",)},
    scope="memory",
    change_scope="memory:change",
    export_scope="memory:export",
    user_claim="sub",
    company_claim="company_id",
)
CLOCK = ManualClock()
TOKENS = InMemoryUserTokens(clock=CLOCK)
LOCKS = Locks(
    {
        "bank": CompanyLock(callers=frozenset({Principal(ACCOUNT, "orchestrator")})),
        "clinic": CompanyLock(require_user_token=True),
        "both": CompanyLock(callers=frozenset({Principal(ACCOUNT, "orchestrator")}), require_user_token=True),
    },
    TokenReader(TOKENS, TRUST),
)


def request(company_id: str, role: str | None = None, *, user_id: str = "lena", token: str | None = None) -> Request:
    iam = {"accountId": ACCOUNT, "userArn": f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/session"}
    return Request.of(
        {
            "routeKey": "GET /v1/companies/{company_id}/users/{user_id}/memory",
            "requestContext": {"requestId": "r-1"} | ({"authorizer": {"iam": iam}} if role else {}),
            "pathParameters": {"company_id": company_id, "user_id": encode(user_id)},
            "headers": {} if token is None else {"X-User-Token": token},
        }
    )


def token(subject: object = "lena", **changes: object) -> str:
    usual = {
        "iss": TRUST.issuer,
        "sub": subject,
        "aud": "shared-app",
        "company_id": "clinic",
        "scope": "memory",
        "exp": int(CLOCK.now().timestamp()) + 60,
    }
    return TOKENS.sign(usual | changes)


def test_a_company_without_locks_is_open_to_whom_iam_let_through() -> None:
    LOCKS(request("acme", "anybody"))
    LOCKS(request("acme"))


def test_a_pinned_role_may_call_for_its_company() -> None:
    LOCKS(request("bank", "orchestrator"))


@pytest.mark.parametrize("role", ["orchestrator-2", None])
def test_another_role_or_an_unknown_caller_may_not(role: str | None) -> None:
    with pytest.raises(CallerNotPinned) as refused:
        LOCKS(request("bank", role))
    assert ACCOUNT not in str(refused.value)


@pytest.mark.parametrize("company_id", ["Bank", "bank ", "bank=", "b\u0430nk", "%62ank"])
def test_no_other_spelling_of_a_company_goes_around_its_locks(company_id: str) -> None:
    with pytest.raises(InvalidId):
        LOCKS(request(company_id, "anybody"))


@pytest.mark.parametrize("user_id", ["lena", "lena/2", "Ünal 東京", "a" * 200, "unknown"])
def test_the_users_own_token_lets_a_call_about_them_pass(user_id: str) -> None:
    LOCKS(request("clinic", "anybody", user_id=user_id, token=token(user_id)))


@pytest.mark.parametrize("shown", [None, ""])
def test_a_call_without_the_token_is_refused(shown: str | None) -> None:
    with pytest.raises(UserTokenRequired):
        LOCKS(request("clinic", "anybody", token=shown))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("lena", "jonas"),
        ("lena", "Lena"),
        ("lena", "lena "),
        ("lena", "lena2"),
        ("lena2", "lena"),
        ("lena", "l\u0435na"),  # Cyrillic e
        ("lena", "lena\u200b"),
        ("J\u00f6rg", "Jo\u0308rg"),  # composed and decomposed
        ("Jo\u0308rg", "J\u00f6rg"),
        ("\ufb01", "fi"),  # a ligature
        ("a=2Fb", "a/b"),  # an id that looks like another's spelling
        ("a/b", "a=2Fb"),
        ("clinic#lena", "lena"),
    ],
)
def test_a_token_opens_nobody_elses_memory_however_alike_the_ids_look(mine: str, theirs: str) -> None:
    with pytest.raises(UserTokenOfAnother) as refused:
        LOCKS(request("clinic", "anybody", user_id=theirs, token=token(mine)))
    assert mine not in str(refused.value)


@given(mine=st.text(min_size=1, max_size=20), theirs=st.text(min_size=1, max_size=20))
def test_a_token_opens_exactly_the_memory_of_its_subject(mine: str, theirs: str) -> None:
    try:
        LOCKS(request("clinic", "anybody", user_id=theirs, token=token(mine)))
    except (UserTokenOfAnother, UserTokenInvalid):
        assert mine != theirs or mine.startswith(("[", "{", "map["))  # which the gateway could have made of a list
    else:
        assert mine == theirs


def test_a_token_for_another_company_opens_nothing_here() -> None:
    with pytest.raises(UserTokenOfAnother):
        LOCKS(request("clinic", "anybody", token=token(company_id="bank")))
    with pytest.raises(UserTokenOfAnother):
        LOCKS(request("clinic", "anybody", token=token(aud="acme-app", company_id="acme")))


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "acme-app"},  # which may not speak for the company that the token claims
        {"aud": "strange-app"},
        {"aud": None},
        {"aud": ["shared-app", "bank-app"]},
        {"company_id": "acme"},
        {"company_id": None},
        {"company_id": ["clinic", "bank"]},
        {"scope": "openid"},
        {"scope": ""},
        {"sub": None},
        {"sub": 7},
        {"sub": ""},
        {"sub": ["lena"]},
        {"sub": "\ud800"},
        {"sub": "x" * 201},
        {"iss": "https://other.example"},
        {"exp": 0},
        {"token_use": "id"},
    ],
)
def test_a_token_that_does_not_speak_for_a_user_here_is_invalid(changes: dict[str, object]) -> None:
    with pytest.raises(UserTokenInvalid):
        LOCKS(request("clinic", "anybody", token=token(**changes)))


def test_a_token_sent_twice_counts_as_none_that_is_valid() -> None:
    with pytest.raises(UserTokenInvalid):
        LOCKS(request("clinic", "anybody", token=f"{token()},{token()}"))


def test_both_locks_must_open() -> None:
    with pytest.raises(CallerNotPinned):
        LOCKS(request("both", "anybody", token=token()))
    with pytest.raises(UserTokenRequired):
        LOCKS(request("both", "orchestrator"))


def test_an_issuer_out_of_reach_lets_nobody_in_and_stops_nobody_elsewhere() -> None:
    TOKENS.out_of_reach = True
    try:
        with pytest.raises(IssuerUnavailable):
            LOCKS(request("clinic", "anybody", token=token()))
        LOCKS(request("bank", "orchestrator"))
    finally:
        TOKENS.out_of_reach = False


def test_where_nobody_signs_tokens_a_company_that_requires_them_stays_shut() -> None:
    with pytest.raises(IssuerUnavailable):
        Locks({"clinic": CompanyLock(require_user_token=True)})(request("clinic", "anybody", token=token()))


def test_routes_about_a_company_ask_for_no_users_token() -> None:
    asked = request("clinic", "anybody")
    LOCKS(replace(asked, path={"company_id": "clinic", "space_id": "s1"}))
