"""Answers of the deployed API, held against its own description."""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from context_memory.contracts.openapi.published import published

if TYPE_CHECKING:
    import httpx

_OF_FUNCTIONS = "x-request-id"
"""A header that every answer of a function has, and none of the gateway's own."""


def check(method: str, path: str, answer: httpx.Response) -> None:
    """Look whether an answer is one of those that the description tells of.

    Raises:
        AssertionError: no such route, status, kind of content or body is described, or a header is not.
    """
    if _OF_FUNCTIONS not in answer.headers:
        return  # the gateway's own: what no route takes, for example
    route, told = _operation(method, path.partition("?")[0])
    status = str(answer.status_code)
    assert status in told["responses"], f"{route} is not said to answer {status}: {answer.text}"
    response = told["responses"][status]
    undescribed = {name for name in answer.headers if name in _headers()} - set(response.get("headers", ()))
    assert not undescribed, f"{route} is not said to answer {status} with the headers {undescribed}"
    _check_body(f"{route} {status}", response.get("content", {}), answer)


def _check_body(what: str, described: dict[str, Any], answer: httpx.Response) -> None:
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if not answer.content:
        assert "application/json" not in described or answer.is_error, f"{what} is said to have a body"
        return
    assert kind in described, f"{what} is not said to be {kind}"
    schema = described[kind]["schema"] | {"components": _document()["components"]}
    complaints = [f"{one.instance_path}: {one.message}" for one in jsonschema_rs.iter_errors(schema, answer.json())]
    assert not complaints, f"{what}: {complaints}"


def _operation(method: str, path: str) -> tuple[str, dict[str, Any]]:
    for pattern, template, operations in _paths():
        if pattern.fullmatch(path) and method.lower() in operations:
            return f"{method} {template}", operations[method.lower()]
    raise AssertionError(f"no route is described that takes a {method} of this path")


@functools.cache
def _document() -> dict[str, Any]:
    return dict(json.loads(published().text))


@functools.cache
def _headers() -> frozenset[str]:
    return frozenset(_document()["components"]["headers"])


@functools.cache
def _paths() -> list[tuple[re.Pattern[str], str, dict[str, Any]]]:
    """Literal paths before those with names in them."""
    return [
        (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))), template, operations)
        for template, operations in sorted(_document()["paths"].items(), key=lambda one: one[0].count("{"))
    ]
