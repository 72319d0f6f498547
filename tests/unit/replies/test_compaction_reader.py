"""What a model answers to a group of old facts: read tolerantly, and never more than it could mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.errors import MalformedReply
from context_memory.domain.facts.admitting import FactGate
from context_memory.domain.facts.compacting.merging import Merge, Press
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.ids import UserKey
from context_memory.domain.replies.compaction import read_compaction
from tests.support.facts import NOON, a_fact

MERGE = {"of": [1, 2], "text": "Drinks tea and coffee."}
READ = (Merge(frozenset({1, 2}), "Drinks tea and coffee."),)
SCOPE = UserScope(UserKey("acme", "lena"))
GROUP = [a_fact(text, tokens=9) for text in ("Drinks tea", "Drinks coffee", "Owns a canoe")]


def read(text: str | None) -> tuple[Merge, ...]:
    return read_compaction(text, finish_reason="stop")


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"merges": [MERGE]}),
        f"```json\n{json.dumps({'merges': [MERGE]}, indent=2)}\n```",
        f"Here you are: {json.dumps([MERGE])} Done.",
        f"<think>Is [1] like 2?</think>{json.dumps(MERGE)}",
        json.dumps({"merges": [MERGE | {"of": ["#1", " 2 "]}]}),
        '{"merges": [{"of": [1, 2,], "text": "Drinks tea\n and coffee."},]}',
    ],
)
def test_an_answer_is_read_in_whatever_it_is_wrapped(answer: str) -> None:
    assert read(answer) == READ


@pytest.mark.parametrize("answer", [None, "", "NOOP", "I merged them.", "{oops", "[1, 2]", '{"facts": []}'])
def test_what_is_no_answer_says_so_without_a_word_of_it(answer: str | None) -> None:
    with pytest.raises(MalformedReply) as malformed:
        read(answer)
    assert not answer or answer not in str(malformed.value)


def test_an_answer_that_was_cut_off_is_none() -> None:
    with pytest.raises(MalformedReply):
        read_compaction(json.dumps({"merges": [MERGE]}), finish_reason="length")


@pytest.mark.parametrize(
    "odd",
    [
        {"of": [1, "two"], "text": "Drinks tea."},
        {"of": [1, 0], "text": "Drinks tea."},
        {"of": [1, True], "text": "Drinks tea."},
        {"of": [1, 1], "text": "Drinks tea."},
        {"of": [1, -2], "text": "Drinks tea."},
        {"of": [], "text": "Drinks tea."},
        {"of": "1, 2", "text": "Drinks tea."},
        {"of": [1, 2], "text": ["Drinks tea."]},
        {"of": [1, 2], "text": " "},
        {"of": [1, 2], "text": "x" * (LONGEST_TEXT + 1)},
        "1 and 2",
        None,
    ],
)
def test_a_malformed_merge_costs_no_other(odd: object) -> None:
    assert read(json.dumps({"merges": [odd, MERGE]})) == READ


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.lists(st.integers(-3, 9) | st.sampled_from(["1", "#2", "x"]) | JSON, max_size=5)
SENTENCES = (
    st.sampled_from(["Drinks tea, coffee", "Drinks tea", "Owns a canoe", "Drinks tea, owns a canoe"]) | st.text()
)
MERGES = st.fixed_dictionaries({}, optional={"of": NUMBERS | JSON, "text": SENTENCES | JSON, "more": JSON})
ANSWERS = st.builds(
    lambda before, value, behind: f"{before}{json.dumps(value)}{behind}",
    st.text(max_size=20),
    st.fixed_dictionaries({"merges": st.lists(MERGES | JSON, max_size=4) | JSON}) | st.lists(MERGES) | MERGES | JSON,
    st.text(max_size=20),
)


def readable(text: str) -> tuple[Merge, ...]:
    try:
        return read(text)
    except MalformedReply:
        return ()


@given(ANSWERS | st.text())
def test_whatever_a_model_answers_nothing_raises_and_every_merge_is_sound(answer: str) -> None:
    for merge in readable(answer):
        assert merge.of
        assert all(type(number) is int and number >= 1 for number in merge.of)
        assert merge.text == " ".join(merge.text.split())
        assert 0 < len(merge.text) <= LONGEST_TEXT


@given(st.lists(MERGES, max_size=4))
def test_whatever_is_proposed_only_shown_facts_go_each_once_and_nothing_is_lost(proposed: list[dict[str, Any]]) -> None:
    merges = readable(json.dumps({"merges": proposed}))
    press = Press(
        scope=SCOPE,
        gate=FactGate(own_sentences=frozenset(), own_links=True),
        now=NOON,
        tokens=lambda text: len(text) // 4,
    )
    standing = frozenset(fact.id for fact in GROUP)
    pressed = press.press(merges, GROUP, standing)
    originals = [one.id for fact in pressed.puts if fact.compaction for one in fact.compaction.originals]
    assert sorted(originals) == sorted(pressed.gone)
    assert pressed.gone <= standing
    assert pressed.drops <= pressed.gone
    assert len(pressed.puts) + pressed.refused.total() == len(merges)
