"""The extraction's answer, however it is wrapped: each operation stands or falls alone, and none fails the reader."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.extraction import EXTRACTION_SCHEMA
from context_memory.domain.errors import MalformedReply
from context_memory.domain.facts.fact import LONGEST_TEXT, Tier
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.replies.extraction import MOST_PROPOSALS, Extracted, read_extraction

CANOE = {"op": "add", "id": None, "text": "Owns a canoe.", "tier": "core", "keywords": ["boat"], "quote": "a canoe"}
BARE = json.dumps({"facts": [CANOE]})
READ = Proposal(operation=Operation.ADD, quote="a canoe", text="Owns a canoe.", tier=Tier.CORE, keywords=("boat",))


def read(text: str | None) -> Extracted:
    return read_extraction(text, finish_reason="stop")


def one(**changes: Any) -> Extracted:  # noqa: ANN401 - any JSON
    return read(json.dumps({"facts": [CANOE | changes]}))


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f"```json\n{BARE}\n```",
        f"Here is what I found:\n{BARE}\nAnything else?",
        f"<think>They own {{a canoe}}. Is [that] a fact?</think>{BARE}",
        f"That was easy.</think>\n{BARE}",
        json.dumps([CANOE]),
        json.dumps(CANOE),
        json.dumps({"facts": CANOE}),
        BARE.replace('"a canoe"}', '"a canoe",}').replace("]}", ",]}"),
        f"\ufeff {BARE}",
        json.dumps({"facts": [CANOE], "remark": {"op": "none"}}),
    ],
)
def test_an_answer_reads_the_same_however_it_is_wrapped(text: str) -> None:
    assert read(text) == Extracted((READ,))


def test_several_single_objects_are_read_one_by_one() -> None:
    kayak = CANOE | {"text": "Owns a kayak."}
    assert [one.text for one in read(f"{json.dumps(CANOE)}\n{json.dumps(kayak)}").proposals] == [
        "Owns a canoe.",
        "Owns a kayak.",
    ]


UNESCAPED = '{"op": "add", "id": null, "text": "Says "hi" a lot.", "tier": "core", "keywords": [], "quote": "hi"}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"facts": [{UNESCAPED}, {json.dumps(CANOE)}]}}',
        f'{{"facts": [{json.dumps(CANOE)}, {UNESCAPED}]}}',
        f"[{UNESCAPED}, {json.dumps(CANOE)}]",
        f'```json\n{{"facts" : [ {json.dumps(CANOE)}, {{"op": "add", "id": null, "keywords": [], "te',
    ],
)
def test_an_answer_that_is_broken_in_one_place_is_malformed_and_at_last_read_as_far_as_it_goes(text: str) -> None:
    with pytest.raises(MalformedReply, match="not valid JSON"):
        read(text)
    assert read_extraction(text, finish_reason="stop", partly=True) == Extracted((READ,), whole=False)


@pytest.mark.parametrize("text", [f'{{"facts": [{UNESCAPED}]}}', f"[{UNESCAPED}]", UNESCAPED])
def test_one_that_is_broken_all_over_does_not_say_that_there_is_nothing(text: str) -> None:
    for partly in (False, True):
        with pytest.raises(MalformedReply):
            read_extraction(text, finish_reason="stop", partly=partly)


@pytest.mark.parametrize("text", ['{"facts": []}', "[]", "NOOP", "**None**", '```\n{"facts": []}\n```'])
def test_nothing_to_do_is_an_answer(text: str) -> None:
    assert read(text) == Extracted()


@pytest.mark.parametrize("text", [None, "", "I would rather not.", '{"facts": "none"}', "<think>hm", '{"fact', "42"])
def test_what_holds_no_answer_is_malformed(text: str | None) -> None:
    with pytest.raises(MalformedReply):
        read(text)


def test_an_answer_that_was_cut_is_malformed_though_it_can_be_read() -> None:
    with pytest.raises(MalformedReply, match="cut off"):
        read_extraction(BARE, finish_reason="length")


def test_a_tag_of_reasoning_within_a_text_is_content() -> None:
    text = "Writes parsers for </think> tags."
    assert one(text=text).proposals[0].text == text


@pytest.mark.parametrize(
    ("changes", "shape"),
    [
        ({"op": "invent"}, "op=text id=null text=text tier=text keywords=list quote=text"),
        ({"quote": "  "}, "op=add id=null text=text tier=text keywords=list quote=blank"),
        ({"text": ["x"]}, "op=add id=null text=list tier=text keywords=list quote=text"),
        ({"text": "x" * (LONGEST_TEXT + 1)}, "op=add id=null text=long tier=text keywords=list quote=text"),
        ({"op": "delete"}, "op=delete id=null text=text tier=text keywords=list quote=text"),
        ({"op": "confirm", "id": True}, "op=confirm id=bool text=text tier=text keywords=list quote=text"),
        ({"canary": "secret"}, None),
    ],
)
def test_a_malformed_operation_is_told_by_position_and_shape(changes: dict[str, Any], shape: str | None) -> None:
    answer = read(json.dumps({"facts": [CANOE, CANOE | changes]}))
    if shape is None:  # a field that nobody asked for harms nothing
        assert (len(answer.proposals), answer.malformed) == (2, ())
    else:
        assert answer.proposals == (READ,)
        assert [(each.position, each.shape) for each in answer.malformed] == [(2, shape)]


@pytest.mark.parametrize("number", [3, "3", "#3", " 3 "])
def test_a_number_may_be_written_as_text(number: object) -> None:
    assert one(op="CONFIRM", id=number).proposals[0].number == 3


@pytest.mark.parametrize(
    ("tier", "read_as"),
    [("archival", Tier.ARCHIVAL), ("CORE", Tier.CORE), ("ephemeral", None), ("vip", None), (7, None)],
)
def test_a_tier_that_cannot_be_stored_is_none(tier: object, read_as: Tier | None) -> None:
    assert one(tier=tier).proposals[0].tier is read_as


def test_what_an_operation_has_no_use_for_is_left_out() -> None:
    (proposal,) = one(op="delete", id=1).proposals
    assert (proposal.text, proposal.number) == ("", 1)
    assert one(id=4).proposals[0].number is None


def test_keywords_may_come_in_one_text() -> None:
    assert one(keywords="boat, paddle,, boat").proposals[0].keywords == ("boat", "paddle")


def test_more_operations_than_one_transaction_holds_are_left_out() -> None:
    many = [CANOE | {"text": f"Owns canoe {number}."} for number in range(MOST_PROPOSALS + 5)]
    assert len(read(json.dumps({"facts": many})).proposals) == MOST_PROPOSALS


def test_an_answer_that_fits_the_schema_holds_every_field_that_is_read() -> None:
    facts = EXTRACTION_SCHEMA["properties"]["facts"]  # type: ignore[index]  # a schema is plain JSON
    assert set(facts["items"]["required"]) == set(CANOE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.text() | JSON.map(json.dumps) | st.dictionaries(st.sampled_from(sorted(CANOE)), JSON).map(json.dumps))
def test_no_answer_makes_the_reader_fail_otherwise_than_malformed(text: str) -> None:
    with suppress(MalformedReply):
        answer = read(text)
        assert all(proposal.quote and len(proposal.text) <= LONGEST_TEXT for proposal in answer.proposals)
