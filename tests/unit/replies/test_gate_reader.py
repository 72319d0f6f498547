"""What is read from the gate's answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.replies.gate import GateDecision, read_gate

CASES = json.loads((Path(__file__).parents[2] / "cases" / "model_answers.json").read_text(encoding="utf-8"))["gate"]
WORDS = st.sampled_from(["UPDATE", "NOOP", "FORGET"])
DRESSES = st.sampled_from(
    ["{}", "`{}`", "**{}**", '"{}"', "„{}“", "```\n{}\n```", "~~~text\n{}\n~~~", "_{}_.", "\ufeff{}\n"]
)
BEFORE = st.sampled_from(["", "Decision: ", "**Answer:** ", "<think>NOOP or UPDATE?</think>", "No change.</think>\n"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_answer_is_taken_for_what_it_is(case: dict[str, str]) -> None:
    assert read_gate(case["answer"]) == case["is"]


@given(word=WORDS, dress=DRESSES, before=BEFORE)
@settings(max_examples=100, deadline=None)
def test_a_dressed_answer_is_read_as_the_bare_one(word: str, dress: str, before: str) -> None:
    assert read_gate(before + dress.format(word)) == GateDecision[word]
    assert read_gate(before + dress.format(word.lower())) == GateDecision[word]


@given(
    st.text() | st.lists(st.sampled_from(["NOOP", "UPDATE", "<think>", "</think>", "```", "\n", ":", " "])).map("".join)
)
@settings(max_examples=200, deadline=None)
def test_no_answer_makes_the_reader_fail(answer: str) -> None:
    assert read_gate(answer) in GateDecision


@pytest.mark.parametrize(
    "answer", ["UPDATE/NOOP", "NOOP, UPDATE or FORGET", "UPDATE: NOOP", "NOOP\n\nUPDATE", "**NOOP** `UPDATE`"]
)
def test_a_word_right_behind_another_is_unreadable(answer: str) -> None:
    assert read_gate(answer) == "fail_open"


@pytest.mark.parametrize("answer", ["UPDATE-worthy", "noops", "NOOP_X", "forgetful", "The answer is NOOP"])
def test_a_word_that_only_holds_the_sentinel_is_none(answer: str) -> None:
    assert read_gate(answer) == "fail_open"


def test_a_very_long_answer_is_read_quickly() -> None:
    assert read_gate("`" * 200_000 + "NOOP") == "noop"
    assert read_gate("```\n" * 50_000 + "x") == "fail_open"
