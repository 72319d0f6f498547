"""Whatever is wrong with a body, and whichever reader finds it: one form of answer, and one voice."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.contracts.body import checked
from context_memory.contracts.facts import FactBody, FactsFileBody
from context_memory.contracts.memory import EditBody
from context_memory.contracts.openapi.bodies.recall import CitationsAsked, RecallAsked
from context_memory.contracts.openapi.operations import OPERATIONS
from context_memory.contracts.problems import problem
from context_memory.contracts.recall import CitationsBody, question
from context_memory.contracts.turns import TurnBody
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.errors import InvalidInput
from tests.support.schemas import Broken, broken, sound

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from context_memory.contracts.openapi.operation import Operation

NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)
READERS: dict[type[BaseModel], Callable[[bytes], object]] = {
    RecallAsked: question,
    CitationsAsked: CitationsBody.parse,
    TurnBody: lambda raw: TurnBody.parse(raw, NOW),
}
LEAST: dict[type[BaseModel], dict[str, Any]] = {
    EditBody: {"memory": ""},
    UnlearnBody: {"turn_ids": ["t-1"]},
    FactBody: {"tier": "core"},
    FactsFileBody: {"facts": []},
}
"""Sound bodies of which one of several fields must be there."""
WITH_BODY = [one for one in OPERATIONS if one.body is not None]
VOICE = re.compile(r"must (not )?(be|have|match|say|hold|name|bring|stand)\b.*|is not a field of this request")
FOREIGN = "Zürich-4711"


def reader(model: type[BaseModel]) -> Callable[[bytes], object]:
    """Who reads the body of a route."""
    parse: Callable[[bytes], object] = READERS.get(model) or model.parse  # type: ignore[attr-defined]  # bodies have it
    return parse


def least(model: type[BaseModel]) -> dict[str, Any]:
    """A body that would be taken."""
    body: dict[str, Any] = LEAST.get(model) or sound(model.model_json_schema())
    return body


def wrong(model: type[BaseModel]) -> list[Broken]:
    """All that can be wrong with the bodies of a model."""
    return list(broken(model.model_json_schema(), least(model), foreign=FOREIGN))


def refused(read: Callable[[bytes], object], raw: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read(raw)
    return caught.value


def model_of(operation: Operation) -> type[BaseModel]:
    assert operation.body is not None
    return operation.body


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda one: one.name)
@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"7", b"\xff"], ids=repr)
def test_what_is_no_object_is_refused_as_a_whole_and_alike_on_every_route(operation: Operation, raw: bytes) -> None:
    error = refused(reader(model_of(operation)), raw)

    assert (error.field, error.detail) == ("body", "must be a JSON object")


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda one: one.name)
def test_every_wrong_field_is_named_and_what_is_expected_said_in_one_form(operation: Operation) -> None:
    model = model_of(operation)
    cases = wrong(model)
    assert len(cases) > 1
    for case in cases:
        answer = problem(refused(reader(model), json.dumps(case.body).encode()), "request-1")
        body = json.loads(answer["body"])

        assert answer["statusCode"] == 422
        assert answer["headers"]["content-type"] == "application/problem+json"
        assert set(body) == {"type", "title", "status", "detail", "field"}
        assert (body["type"], body["status"]) == ("urn:context-memory:problem:invalid_input", 422)
        assert body["field"] == case.field, case
        assert VOICE.fullmatch(body["detail"]), (case, body["detail"])
        assert FOREIGN not in answer["body"]


@pytest.mark.parametrize(("model", "read"), [(RecallAsked, question), (CitationsAsked, CitationsBody.parse)])
def test_a_reader_without_pydantic_says_what_pydantic_would(
    model: type[BaseModel], read: Callable[[bytes], object]
) -> None:
    def said(by: Callable[[bytes], object], case: Broken) -> tuple[str, str]:
        error = refused(by, json.dumps(case.body).encode())
        return error.field, error.detail

    for case in wrong(model):
        assert said(read, case) == said(lambda raw: checked(model, raw), case), case


@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda one: one.name)
def test_the_body_that_is_broken_is_sound_before(operation: Operation) -> None:
    model = model_of(operation)

    reader(model)(json.dumps(least(model)).encode())
