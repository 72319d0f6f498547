from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.claims import Trust, whose
from context_memory.domain.errors import ClaimRefused
from context_memory.domain.ids import UserKey

TRUST = Trust(
    issuer="https://issuer.example",
    audiences={"acme-app": ("acme",), "shared-app": ("acme", "globex")},
    scope="memory",
    change_scope="memory:change",
    export_scope="memory:export",
    user_claim="sub",
    company_claim="company_id",
)
LENA: dict[str, Any] = {
    "iss": "https://issuer.example",
    "aud": "acme-app",
    "exp": "1781700000",
    "scope": "memory",
    "sub": "lena",
}
SHARED = LENA | {"aud": "shared-app", "company_id": "globex"}


def without(claims: dict[str, Any], name: str) -> dict[str, Any]:
    return {claim: value for claim, value in claims.items() if claim != name}


@pytest.mark.parametrize(
    ("claims", "user"),
    [
        (LENA, UserKey("acme", "lena")),
        (LENA | {"company_id": "acme"}, UserKey("acme", "lena")),
        (LENA | {"company_id": "[acme]"}, UserKey("acme", "lena")),
        (SHARED, UserKey("globex", "lena")),
        (SHARED | {"company_id": ["globex"]}, UserKey("globex", "lena")),
        (LENA | {"aud": "[acme-app other]"}, UserKey("acme", "lena")),
        (LENA | {"aud": ["acme-app", "other"]}, UserKey("acme", "lena")),
        (without(LENA, "aud") | {"client_id": "acme-app"}, UserKey("acme", "lena")),
        (LENA | {"scope": "openid memory"}, UserKey("acme", "lena")),
        (without(LENA, "scope") | {"scp": "[openid memory]"}, UserKey("acme", "lena")),
        (without(LENA, "scope") | {"scp": ["openid", "memory"]}, UserKey("acme", "lena")),
        (LENA | {"token_use": "access", "typ": "Bearer"}, UserKey("acme", "lena")),
        (LENA | {"typ": "at+JWT"}, UserKey("acme", "lena")),
    ],
)
def test_a_token_speaks_for_one_user_of_one_company(claims: dict[str, Any], user: UserKey) -> None:
    assert whose(claims, TRUST) == user


@pytest.mark.parametrize(
    ("claims", "claim"),
    [
        (without(LENA, "iss"), "iss"),
        (LENA | {"iss": "https://issuer.example/"}, "iss"),
        (LENA | {"iss": "https://elsewhere.example"}, "iss"),
        (without(LENA, "aud"), "aud"),
        (LENA | {"aud": "other"}, "aud"),
        (LENA | {"aud": "acme-app "}, "aud"),
        (LENA | {"aud": "ACME-APP"}, "aud"),
        (LENA | {"aud": "[]"}, "aud"),
        (LENA | {"aud": 7}, "aud"),
        (LENA | {"aud": "other", "client_id": "acme-app"}, "aud"),
        (LENA | {"aud": "[acme-app shared-app]"}, "aud"),
        (LENA | {"aud": ["acme-app", "shared-app"]}, "aud"),
        (without(LENA, "exp"), "exp"),
        (without(LENA, "scope"), "scope"),
        (LENA | {"scope": "openid"}, "scope"),
        (LENA | {"scope": "memory.write"}, "scope"),
        (LENA | {"scope": "Memory"}, "scope"),
        (LENA | {"token_use": "id"}, "token_use"),
        (LENA | {"typ": "ID"}, "typ"),
        (LENA | {"typ": "Refresh"}, "typ"),
        (LENA | {"at_hash": "x"}, "at_hash"),
        (LENA | {"c_hash": "x"}, "c_hash"),
        (without(LENA, "sub"), "sub"),
        (LENA | {"sub": ""}, "sub"),
        (LENA | {"sub": None}, "sub"),
        (LENA | {"sub": 7}, "sub"),
        (LENA | {"sub": ["lena"]}, "sub"),
        (LENA | {"sub": "[lena]"}, "sub"),
        (LENA | {"sub": "[lena\nmax]"}, "sub"),
        (LENA | {"sub": "map[name:lena]"}, "sub"),
        (LENA | {"sub": '{"name":"lena"}'}, "sub"),
        (LENA | {"sub": "x" * 201}, "sub"),
        (LENA | {"sub": "\ud800"}, "sub"),
        (without(SHARED, "company_id"), "company_id"),
        (SHARED | {"company_id": "[acme globex]"}, "company_id"),
        (SHARED | {"company_id": ["acme", "globex"]}, "company_id"),
        (SHARED | {"company_id": "initech"}, "company_id"),
        (LENA | {"company_id": "globex"}, "company_id"),
        (LENA | {"company_id": "acme2"}, "company_id"),
        (LENA | {"company_id": "acm"}, "company_id"),
        (LENA | {"company_id": ""}, "company_id"),
        (LENA | {"company_id": "ACME"}, "company_id"),
        (LENA | {"company_id": None}, "company_id"),
        ({}, "iss"),
    ],
)
def test_the_first_claim_that_does_not_hold_is_named_and_its_value_is_not(claims: dict[str, Any], claim: str) -> None:
    with pytest.raises(ClaimRefused) as refused:
        whose(claims, TRUST)
    assert refused.value.claim == claim
    value = claims.get(claim)
    assert not value or str(value) not in {str(refused.value), refused.value.detail}


def test_claims_are_looked_for_under_the_names_of_the_environment() -> None:
    trust = replace(TRUST, user_claim="https://acme.example/user", company_claim="org", scope="chat/memory")
    claims = SHARED | {"https://acme.example/user": "max", "org": "acme", "scope": "chat/memory"}
    assert whose(claims, trust) == UserKey("acme", "max")


def test_a_company_that_the_environment_spells_wrongly_is_refused_and_never_looked_up() -> None:
    trust = replace(TRUST, audiences={"acme-app": ("Acme#x",)})
    with pytest.raises(ClaimRefused) as refused:
        whose(LENA, trust)
    assert refused.value.claim == "company_id"


@pytest.mark.parametrize(
    "user_id", ["a#b", "a/b", "a:b", "..", "*", "lena ", "ä", "a\u0308", "\U0001d4c1ena", "${aws:x}", "[a"]
)
def test_a_user_id_is_taken_as_it_stands(user_id: str) -> None:
    assert whose(LENA | {"sub": user_id}, TRUST).user_id == user_id


@pytest.mark.parametrize(
    ("text", "value"),
    [("null", None), ("7", 7), ("1.2345678901234568E19", 12345678901234567890), ("true", True), ("lena", ["lena"])],
)
def test_a_user_who_is_no_text_in_the_token_is_nobody_whatever_text_the_gateway_makes_of_it(
    text: str, value: object
) -> None:
    handed_on = LENA | {"sub": text}
    assert whose(handed_on, TRUST, written=handed_on) == UserKey("acme", text)
    for written in (LENA | {"sub": value}, without(LENA, "sub"), {}):
        with pytest.raises(ClaimRefused) as refused:
            whose(handed_on, TRUST, written=written)
        assert refused.value.claim == "sub"


TEXTS = st.sampled_from(
    [
        "",
        "acme",
        "globex",
        "initech",
        "acme-app",
        "shared-app",
        "[acme globex]",
        "[shared-app]",
        "[",
        "memory",
        "lena",
        "at",
    ]
)
VALUES = TEXTS | st.none() | st.booleans() | st.integers(0, 9) | st.lists(TEXTS | st.integers(0, 9), max_size=3)


@given(changes=st.dictionaries(st.sampled_from(["iss", "aud", "sub", "scope", "company_id", "typ"]), VALUES))
def test_whatever_a_token_holds_it_speaks_for_nobody_or_for_a_user_of_its_audiences_companies(
    changes: dict[str, Any],
) -> None:
    claims = SHARED | changes
    try:
        user = whose(claims, TRUST)
    except ClaimRefused:
        return
    assert user.company_id in TRUST.audiences["shared-app"]
    assert user.user_id == claims["sub"]
