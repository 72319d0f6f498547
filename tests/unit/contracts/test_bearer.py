"""Claims as tokens write them: read from one token, and from nothing that could be two."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.bearer import written_claims
from context_memory.contracts.http import Request


def request(header: str | None) -> Request:
    headers = {} if header is None else {"Authorization": header}
    return Request.of({"routeKey": "GET /v1/me/memory", "requestContext": {"requestId": "r-1"}, "headers": headers})


def token(payload: object) -> str:
    parts = (b"{}", json.dumps(payload).encode(), b"signature")
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())))
def test_claims_keep_the_types_that_they_have_in_the_token(claims: dict[str, Any]) -> None:
    for spelling in ("Bearer {}", "bearer  {}", "{}", " Bearer {} "):
        assert written_claims(request(spelling.format(token(claims)))) == claims


def test_without_a_token_nobody_says_what_it_holds() -> None:
    assert written_claims(request(None)) is None


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer a.b",
        "Bearer a.b.c",
        f"Bearer {token({'sub': 'lena'})}, Bearer {token({'sub': 'lena'})}",
        f"{token({'sub': 'lena'})},{token({'sub': 'lena'})}",
        f"Bearer {token({'sub': 'lena'})}.more",
        f"Basic {token({'sub': 'lena'})}",
        f"Bearer {token(['sub'])}",
        f"Bearer {token('sub')}",
        f"Bearer e30.{base64.urlsafe_b64encode(b'[' * 6000).decode()}.e30",
    ],
    ids=lambda header: header[:30],
)
def test_what_is_not_one_token_holds_nothing(header: str) -> None:
    assert written_claims(request(header)) == {}


@given(st.text())
def test_no_header_makes_it_raise(header: str) -> None:
    assert written_claims(request(header)) == {}
