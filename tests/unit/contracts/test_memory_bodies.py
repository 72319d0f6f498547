"""What users send is checked, and what is wrong is named by its field and never by its value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.contracts.complaints import MAX_BODY_BYTES
from context_memory.contracts.memory import DenyRulesBody, EditBody, ImportBody, PinsBody
from context_memory.contracts.problems import problem
from context_memory.domain.errors import BodyTooLarge, InvalidInput
from context_memory.domain.profile import Bullets
from tests.support.house import LENA

if TYPE_CHECKING:
    from pydantic import BaseModel

SECRET = "my-secret-words"


@pytest.mark.parametrize(
    ("body", "document", "field"),
    [
        (EditBody, {}, "body"),
        (EditBody, {"memory": "a", "sections": []}, "body"),
        (EditBody, {"memory": 7}, "memory"),
        (EditBody, {"memory": SECRET, "text": SECRET}, "text"),
        (EditBody, {"sections": [{"heading": "Identity"}]}, "sections.0.bullets"),
        (EditBody, {"sections": [{"heading": "Identity", "bullets": [1]}]}, "sections.0.bullets.0"),
        (EditBody, {"sections": [{"heading": "Identity", "bullets": [], SECRET: 1}]}, "sections.0.(unknown field)"),
        (EditBody, {"sections": [{"heading": "Identity", "bullets": []}] * 101}, "sections"),
        (ImportBody, {}, "memory"),
        (ImportBody, {"memory": None}, "memory"),
        (ImportBody, {"memory": "a", "format": SECRET}, "format"),
        (ImportBody, {"memory": "a", "format": "context-memory/export", "version": 2}, "version"),
        (PinsBody, {}, "pins"),
        (PinsBody, {"pins": ["f" * 31]}, "pins.0"),
        (PinsBody, {"pins": ["f" * 32, "F" * 32]}, "pins.1"),
        (PinsBody, {"pins": ["f" * 32 + "\n"]}, "pins.0"),
        (PinsBody, {"pins": ["f" * 32] * 1001}, "pins"),
        (DenyRulesBody, {"kinds": [SECRET]}, "kinds.0"),
        (DenyRulesBody, {"phrases": [7]}, "phrases.0"),
        (DenyRulesBody, {"phrases": SECRET}, "phrases"),
        (DenyRulesBody, {"phrases": ["x" * 1001]}, "phrases.0"),
        (DenyRulesBody, [], "body"),
    ],
)
def test_a_wrong_body_is_told_by_its_field(body: Any, document: object, field: str) -> None:  # noqa: ANN401 - a class of bodies
    with pytest.raises(InvalidInput) as refused:
        body.parse(json.dumps(document).encode())
    assert refused.value.field == field
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("body", [EditBody, ImportBody, PinsBody, DenyRulesBody])
@pytest.mark.parametrize("raw", [b"", b"no json", b"\xff\xfe", b'{"memory": "\xff"}', b"[" * 500_000])
def test_what_is_no_json_is_refused(body: type[BaseModel], raw: bytes) -> None:
    with pytest.raises(InvalidInput):
        body.parse(raw)  # type: ignore[attr-defined]  # all four have it


@pytest.mark.parametrize("body", [EditBody, ImportBody, PinsBody, DenyRulesBody])
def test_two_megabytes_are_refused_unread(body: Any) -> None:  # noqa: ANN401 - a class of bodies
    with pytest.raises(BodyTooLarge) as refused:
        body.parse(b'{"memory": "' + b"a" * (2 * MAX_BODY_BYTES) + b'"}')
    assert problem(refused.value, "r-1")["statusCode"] == 413


def test_an_export_is_read_for_its_memory_alone() -> None:
    document = {
        "format": "context-memory/export",
        "version": 1,
        "user_id": "lena",
        "memory": "## Identity\n- Lives in Basel.\n",
        "revisions": [{"n": 1}],
        "settings": {"pins": ["x"]},
    }
    assert ImportBody.parse(json.dumps(document).encode()).bullets(LENA) == Bullets(identity=("Lives in Basel.",))


def test_an_export_of_somebody_else_is_refused_without_naming_them() -> None:
    read = ImportBody.parse(json.dumps({"memory": "- A.", "user_id": "max"}).encode())
    with pytest.raises(InvalidInput) as refused:
        read.bullets(LENA)
    assert (refused.value.field, "max" in str(refused.value)) == ("user_id", False)


def test_an_unknown_heading_is_told_to_whoever_wrote_it() -> None:
    with pytest.raises(InvalidInput) as refused:
        EditBody.parse(json.dumps({"memory": "## Hobbies\n- Chess.\n"}).encode()).bullets(LENA)
    answer = problem(refused.value, "r-1")
    told = json.loads(answer["body"])
    assert (answer["statusCode"], told["field"], told["heading"]) == (422, "memory", "Hobbies")


def test_rules_are_read_as_the_user_means_them() -> None:
    assert DenyRulesBody.parse(b'{"phrases": [" my  salary "], "kinds": ["health", "health"]}').rules() == (
        ("my salary",),
        frozenset({"health"}),
    )
    assert DenyRulesBody.parse(b"{}").rules() == ((), frozenset())
