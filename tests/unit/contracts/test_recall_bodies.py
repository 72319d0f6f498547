from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from context_memory.contracts.complaints import MAX_BODY_BYTES
from context_memory.contracts.openapi.bodies.recall import CitationsAsked, RecallAsked
from context_memory.contracts.recall import CitationsBody, question
from context_memory.domain.delegation import Delegation
from context_memory.domain.errors import BodyTooLarge, InvalidInput
from context_memory.domain.recall.question import Question
from context_memory.domain.spaces import Backend

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = {"query": "Where does she live?", "space_id": "s1"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def asked(**more: Any) -> Question:  # noqa: ANN401 - any JSON
    return question(json.dumps(ASKED | more).encode())


def test_a_question_needs_a_query_and_a_space_and_the_rest_has_defaults() -> None:
    assert asked() == Question(query="Where does she live?", space_id="s1")
    assert (asked().max_hits, asked().max_tokens) == (12, 1200)


def test_everything_that_can_be_said_is_read() -> None:
    read = asked(
        chat_id="c1",
        prompt_id="p1",
        max_hits=50,
        max_injected_tokens_est=8000,
        ephemeral=["Is on a train."],
        backend="lance",
        disable_recall=True,
        as_subagent={"inherit_memory": True},
        parent_turn_id="t1",
        use_memory={"read": False},
        web_search=False,
    )
    assert read == Question(
        query="Where does she live?",
        space_id="s1",
        chat_id="c1",
        prompt_id="p1",
        max_hits=50,
        max_tokens=8000,
        ephemeral=("Is on a train.",),
        backend=Backend.LANCE,
        disabled=True,
        delegation=Delegation(parent_turn_id="t1", inherit_memory=True, worker=True),
        use_memory=False,
        web_search=False,
    )


def test_null_is_as_good_as_nothing() -> None:
    names = ("chat_id", "max_hits", "ephemeral", "backend", "disable_recall", "as_subagent", "use_memory")
    assert asked(**dict.fromkeys(names)) == asked()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"query": None}, "query"),
        ({"query": 7}, "query"),
        ({"query": "\ud800"}, "query"),
        ({"space_id": None}, "space_id"),
        ({"space_id": ""}, "space_id"),
        ({"chat_id": 7}, "chat_id"),
        ({"prompt_id": "x" * 201}, "prompt_id"),
        ({"max_hits": 0}, "max_hits"),
        ({"max_hits": 51}, "max_hits"),
        ({"max_hits": True}, "max_hits"),
        ({"max_hits": 12.5}, "max_hits"),
        ({"max_injected_tokens_est": 199}, "max_injected_tokens_est"),
        ({"max_injected_tokens_est": 8001}, "max_injected_tokens_est"),
        ({"ephemeral": "text"}, "ephemeral"),
        ({"ephemeral": ["x"] * 51}, "ephemeral"),
        ({"ephemeral": ["x", 7]}, "ephemeral.1"),
        ({"ephemeral": ["x" * 501]}, "ephemeral.0"),
        ({"backend": "elastic"}, "backend"),
        ({"backend": ["lance"]}, "backend"),
        ({"disable_recall": "yes"}, "disable_recall"),
        ({"as_subagent": True}, "as_subagent"),
        ({"as_subagent": {"inherit_memory": 1}}, "as_subagent.inherit_memory"),
        ({"as_subagent": {"name": "w"}}, "as_subagent.name"),
        ({"parent_turn_id": ""}, "parent_turn_id"),
        ({"use_memory": {"read": "no"}}, "use_memory.read"),
        ({"use_memory": {"forget": True}}, "use_memory.forget"),
        ({"colour": "blue"}, "colour"),
        ({"My salary is 120000": 1}, "(unknown field)"),
    ],
)
def test_a_wrong_field_is_refused_and_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        asked(**changes)
    assert refused.value.field == field


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 300_000, b"1" * 10_000])
@pytest.mark.parametrize("read", [question, CitationsBody.parse])
def test_what_is_no_object_is_refused_by_both_routes(raw: bytes, read: Any) -> None:  # noqa: ANN401 - either
    with pytest.raises(InvalidInput) as refused:
        read(raw)
    assert (refused.value.field, refused.value.__cause__) == ("body", None)


def test_a_body_over_one_megabyte_is_refused_before_it_is_read() -> None:
    with pytest.raises(BodyTooLarge):
        question(b"{" * (MAX_BODY_BYTES + 1))


@given(st.dictionaries(st.sampled_from([*ASKED, "max_hits", "ephemeral", "as_subagent", "backend"]), JSON))
def test_any_json_is_a_question_or_refused_with_a_field_that_it_has(document: dict[str, object]) -> None:
    raw, read = json.dumps(document).encode(), None
    try:
        read = question(raw)
    except InvalidInput as error:
        refused = error.field
    else:
        refused = "query"
    assert refused.split(".")[0] in {*document, *ASKED}
    assert read is None or (read.query, read.space_id) == (document["query"], document["space_id"])


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "query": st.text(max_size=5) | JSON,
            "space_id": st.text(max_size=3) | JSON,
            "prompt_id": st.text(max_size=3) | JSON,
            "max_hits": st.integers(-1, 60) | JSON,
            "max_injected_tokens_est": st.integers(190, 8010) | JSON,
            "ephemeral": st.lists(st.text(max_size=2), max_size=2) | JSON,
            "backend": st.sampled_from(["lance", "sqlite_fts", "elastic"]) | JSON,
            "as_subagent": st.fixed_dictionaries({}, optional={"inherit_memory": st.booleans() | JSON}) | JSON,
            "use_memory": st.fixed_dictionaries({}, optional={"read": st.booleans() | JSON, "x": JSON}) | JSON,
            "disable_recall": st.booleans() | JSON,
            "colour": JSON,
        },
    )
)
def test_what_the_description_says_of_a_question_is_what_is_read(document: dict[str, object]) -> None:
    raw = json.dumps(document)
    assert accepts(lambda: RecallAsked.model_validate_json(raw)) == accepts(lambda: question(raw.encode()))


@given(st.fixed_dictionaries({}, optional={"answer": JSON, "prompt_id": st.text(max_size=3) | JSON, "x": JSON}))
def test_what_the_description_says_of_citations_is_what_is_read(document: dict[str, object]) -> None:
    raw = json.dumps(document)
    assert accepts(lambda: CitationsAsked.model_validate_json(raw)) == accepts(
        lambda: CitationsBody.parse(raw.encode())
    )


def accepts(read: Callable[[], object]) -> bool:
    with suppress(InvalidInput, ValidationError):
        read()
        return True
    return False


def test_a_refusal_never_quotes_what_was_sent() -> None:
    with pytest.raises(InvalidInput) as refused:
        asked(canary="4711", backend="canary-4711")
    assert "4711" not in str(refused.value)


def test_an_unknown_field_is_told_to_the_caller_and_kept_out_of_logs() -> None:
    with pytest.raises(InvalidInput) as refused:
        asked(canary=1)
    assert (refused.value.field, refused.value.known) == ("canary", "(unknown field)")


def test_citations_name_their_prompt() -> None:
    assert CitationsBody.parse(b'{"answer": "", "prompt_id": "p1"}') == CitationsBody("", "p1")


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"answer": "x"}, "prompt_id"),
        ({"prompt_id": "p1"}, "answer"),
        ({"answer": ["x"], "prompt_id": "p1"}, "answer"),
        ({"answer": "x", "prompt_id": "p1", "space_id": "s1"}, "space_id"),
    ],
)
def test_a_wrong_field_of_citations_is_refused_and_named(document: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        CitationsBody.parse(json.dumps(document).encode())
    assert refused.value.field == field
