"""The benchmark's own arithmetic: how its data is read, and what its figures are."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.recall.figures import judged, recall
from tests.benchmarks.recall.locomo import Conversation, Question, conversations

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = {
    "sample_id": "talk-1",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I have a dog."},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a cat"},
        ],
    },
    "observation": {"session_1_observation": {"Ann": [["Ann has a dog.", "D1:1"], ["ann has a dog", ["D1:2"]]]}},
    "qa": [
        {"question": "Who has a dog?", "evidence": ["D1:1; D1:2"], "category": 4},
        {"question": "What is not there?", "evidence": ["D9:9"], "category": 5},
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([SAMPLE]))
    return path


def test_turns_are_facts_of_their_speaker_day_and_session(data: Path) -> None:
    [talk] = conversations(data, "turns")
    assert [fact.text for fact in talk.facts] == ["Ann: I have a dog.", "Bob: Look! [shares a cat]"]
    assert {fact.source.chat_id for fact in talk.facts} == {"session_1"}
    assert [f"{fact.created_at:%Y-%m-%d %H:%M:%S}" for fact in talk.facts] == [
        "2023-05-08 13:56:01",
        "2023-05-08 13:56:02",
    ]


def test_an_observation_made_twice_is_one_fact_that_rests_on_both_turns(data: Path) -> None:
    [talk] = conversations(data, "observations")
    assert [(fact.text, turns) for fact, turns in zip(talk.facts, talk.turns, strict=True)] == [
        ("Ann has a dog.", frozenset({"D1:1", "D1:2"}))
    ]


def test_a_question_that_no_fact_answers_is_left_out(data: Path) -> None:
    [talk] = conversations(data, "turns")
    assert talk.questions == (Question("Who has a dog?", 4, frozenset({"D1:1", "D1:2"})),)


def test_figures_of_a_question_whose_two_answers_stand_second_and_behind_the_last_place() -> None:
    question = Question("?", 1, frozenset({"a", "b"}))
    talk = Conversation((), tuple(frozenset({name}) for name in "cab"), (question,))
    found = judged(talk, question, [0, 1, 2], most=2)
    assert (found.recall, found.reciprocal) == (0.5, 0.5)
    assert found.gain == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))
    assert recall([found], category=1) == 0.5


def test_what_finds_nothing_has_nothing() -> None:
    question = Question("?", 1, frozenset({"a"}))
    found = judged(Conversation((), (frozenset({"a"}),), (question,)), question, [], most=12)
    assert (found.recall, found.reciprocal, found.gain) == (0, 0, 0)
