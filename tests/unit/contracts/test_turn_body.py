from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.complaints import MAX_BODY_BYTES
from context_memory.contracts.turns import TurnBody, sha256
from context_memory.domain.errors import BodyTooLarge, InvalidInput, PayloadUnreadable

NOW = datetime(2026, 6, 17, 12, 0, tzinfo=UTC)
CASES = json.loads((Path(__file__).parents[2] / "cases" / "turn_shapes.json").read_text())["cases"]


def body(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {
        "turn_id": "t1",
        "space_id": "s1",
        "messages": [{"role": "user", "content": "I moved to Basel."}, {"role": "assistant", "content": "Noted."}],
        "occurred_at": "2026-06-17T11:40:00Z",
    } | changes


def parse(document: object) -> TurnBody:
    return TurnBody.parse(json.dumps(document).encode(), NOW)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"turn_id": ""}, "turn_id"),
        ({"turn_id": "x" * 201}, "turn_id"),
        ({"turn_id": "ö" * 34}, "turn_id"),
        ({"turn_id": 7}, "turn_id"),
        ({"space_id": None}, "space_id"),
        ({"chat_id": ""}, "chat_id"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": [{"role": "user", "content": "x"}] * 201}, "messages"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "messages.0.role"),
        ({"messages": [{"content": "x"}]}, "messages.0.role"),
        ({"messages": [{"role": "user", "content": 7}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": [{"text": "no type"}]}]}, "messages.0.content.0.type"),
        ({"occurred_at": "yesterday"}, "occurred_at"),
        ({"occurred_at": "2026-06-17T11:40:00"}, "occurred_at"),
        ({"occurred_at": "2026-06-17T12:05:01Z"}, "occurred_at"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../etc/passwd"}, "time_zone"),
        ({"time_zone": "Europe"}, "time_zone"),
        ({"display_name": ""}, "display_name"),
        ({"display_name": "x" * 201}, "display_name"),
        ({"web_search": "maybe"}, "web_search"),
        ({"use_memory": {"write": "often"}}, "use_memory.write"),
        ({"use_memory": {"forget": True}}, "use_memory.forget"),
        ({"supersedes_turn_id": "t1"}, "supersedes_turn_id"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_a_wrong_field_is_refused_and_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(body(**changes))
    assert refused.value.field == field


@pytest.mark.parametrize("name", ["turn_id", "space_id", "messages", "occurred_at"])
def test_a_missing_field_is_refused_and_named(name: str) -> None:
    document = body()
    del document[name]
    with pytest.raises(InvalidInput) as refused:
        parse(document)
    assert refused.value.field == name


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"text"', b"\xff\xfe", b'{"turn_id": "\\ud800"}'])
def test_a_body_that_is_no_json_object_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInput):
        TurnBody.parse(raw, NOW)


def test_a_refusal_never_quotes_what_was_sent() -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(body(messages=[{"role": "canary-4711", "content": "canary-4711"}], occurred_at="canary-4711"))
    assert "canary" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_body_over_one_megabyte_is_refused_before_it_is_read() -> None:
    with pytest.raises(BodyTooLarge):
        TurnBody.parse(b"{" * (MAX_BODY_BYTES + 1), NOW)


def test_a_turn_may_be_five_minutes_ahead_of_our_clock() -> None:
    assert parse(body(occurred_at="2026-06-17T12:05:00Z")).occurred_at == NOW + timedelta(minutes=5)


def test_bodies_that_mean_the_same_have_one_canonical_form() -> None:
    spelled = {
        "occurred_at": "2026-06-17T13:40:00+02:00",
        "use_memory": {"read": True, "write": True},
        "chat_id": None,
        "messages": body()["messages"],
        "space_id": "s1",
        "turn_id": "t1",
    }
    assert parse(spelled).canonical() == parse(body()).canonical()


@pytest.mark.parametrize(
    "changes",
    [
        {"space_id": "s2"},
        {"messages": [{"role": "user", "content": "I moved to Bern."}]},
        {"occurred_at": "2026-06-17T11:40:01Z"},
        {"use_memory": {"write": False}},
        {"web_search": False},
    ],
)
def test_bodies_that_differ_have_different_digests(changes: dict[str, Any]) -> None:
    assert sha256(parse(body(**changes)).canonical()) != sha256(parse(body()).canonical())


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200), extra=st.text(max_size=5))
def test_a_stored_payload_reads_back_as_the_turn_that_was_posted(text: str, extra: str) -> None:
    messages = [{"role": "user", "content": text, "annotations": [len(extra)]}, {"role": "tool", "content": None}]
    posted = parse(body(messages=messages, time_zone="Europe/Zurich", display_name="Lena"))
    assert TurnBody.stored(posted.canonical()).turn() == posted.turn()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_messages_of_every_shape_are_accepted_or_refused_as_the_cases_say(case: dict[str, Any]) -> None:
    document = body(messages=case["messages"])
    if case.get("outcome") == "422":
        with pytest.raises(InvalidInput):
            parse(document)
    else:
        assert len(parse(document).turn().messages) == len(case["messages"])


def test_only_text_parts_of_a_message_are_read() -> None:
    parts = [
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": "data:x"}},
        {"type": "input_text", "text": "b"},
        {"type": "input_file", "filename": "cv.pdf", "text": "not this"},
    ]
    (message,) = parse(body(messages=[{"role": "user", "content": parts}])).turn().messages
    assert message.parts == ("a", "b")


@pytest.mark.parametrize("field", ["My salary is 120000", "ä" * 3, "x" * 41, ""])
def test_an_unknown_field_is_named_only_if_its_name_looks_like_one(field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(body(**{field: 1}))
    assert refused.value.field == "(unknown field)"
    assert "salary" not in str(refused.value)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z"])
def test_a_time_before_this_millennium_is_refused(moment: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(body(occurred_at=moment, time_zone="America/New_York"))
    assert refused.value.field == "occurred_at"


@pytest.mark.parametrize("zone", ["localtime", "Factory"])
def test_a_zone_that_is_nowhere_is_refused(zone: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(body(time_zone=zone))
    assert refused.value.field == "time_zone"


def test_a_stored_payload_that_is_no_turn_is_told_without_its_content() -> None:
    with pytest.raises(PayloadUnreadable) as refused:
        TurnBody.stored(b'{"canary": "Zanzibar"}')
    assert "Zanzibar" not in str(refused.value)
    assert refused.value.__cause__ is None
