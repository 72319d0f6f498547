"""What of a turn's messages the chain may learn from."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain import prompt_section
from context_memory.domain.evidence import Evidence, evidence_of
from context_memory.domain.profile import Bullets
from context_memory.domain.turn import Message
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

CASES = json.loads((Path(__file__).parents[2] / "cases" / "turn_shapes.json").read_text(encoding="utf-8"))["cases"]
LOADED = prompt_section.prompt_section(Bullets(identity=("Lena works in Bern.",), topics=("Dose reduction.",))) or ""


def _message(shape: dict[str, Any]) -> Message:
    """As the wire's contract reads it: text parts only."""
    content = shape["content"]
    texts = [content] if isinstance(content, str) else [part.get("text") for part in content or []]
    parts = [text.replace("(the prompt section of the load, verbatim)", LOADED) for text in texts if text is not None]
    return Message(shape["role"], tuple(parts), shape.get("name"), has_tool_calls="tool_calls" in shape)


def _evidence(messages: tuple[Message, ...]) -> Evidence | None:
    return evidence_of(messages, user_id="lena", display_name="Lena Muster")


def _said(*parts: str) -> str | None:
    evidence = _evidence((Message("user", parts), Message("assistant", ("Noted.",))))
    return evidence.words if evidence else None


@pytest.mark.parametrize("case", [c for c in CASES if c.get("outcome") != "422"], ids=lambda c: c["name"])
def test_every_shape_of_a_turn_gives_its_evidence(case: dict[str, Any]) -> None:
    evidence = _evidence(tuple(map(_message, case["messages"])))
    expected = case["evidence"]
    if expected is None:
        assert evidence is None
    else:
        assert evidence is not None
        assert evidence.words == (expected if isinstance(expected, str) else "\n\n".join(expected))


def test_the_answers_before_and_behind_are_told_and_history_is_not() -> None:
    evidence = _evidence(
        (
            Message("user", ("I live in Graz.",)),
            Message("assistant", ("Nice.",)),
            Message("user", ("Book a room.",)),
            Message("assistant", ("Let me see.",), has_tool_calls=True),
            Message("tool", ("ok",)),
            Message("user", ("For six.",)),
            Message("assistant", ("Looking.",), has_tool_calls=True),
            Message("assistant", ("Booked.",)),
        )
    )
    assert evidence == Evidence("Book a room.\n\nFor six.", earlier_answer="Nice.", answer="Booked.")


@pytest.mark.parametrize("name", [None, "", "lena", "Lena Muster"])
def test_the_user_speaks_unnamed_by_id_or_by_name(name: str | None) -> None:
    assert _evidence((Message("user", ("I am vegan.",), name),)) is not None


def test_what_others_say_in_a_group_is_no_evidence_and_ends_the_users_turn() -> None:
    petra = Message("user", ("I am vegan.",), "petra")
    lena = Message("user", ("I eat meat.",), "lena")
    both = _evidence((petra, lena, Message("assistant", ("OK.",))))
    assert both is not None
    assert both.words == "I eat meat."
    assert _evidence((lena, Message("assistant", ("OK.",)), petra)) is None


@pytest.mark.parametrize("blank", ["", " \n", "\u200b\u2060\ufeff", "```\ncode\n```", "> quoted"])
def test_nothing_of_the_users_is_no_evidence(blank: str) -> None:
    assert _said(blank) is None


def test_the_loaded_memory_is_taken_out_wherever_it_stands() -> None:
    assert _said(f"Look:\n\n{LOADED}\n\nThanks!") == "Look:\n\nThanks!"
    assert _said(LOADED) is None


def test_a_short_reply_adopts_the_question_it_answers() -> None:
    evidence = _evidence(
        (
            Message("assistant", ("You like brevity. Shall I always answer in one sentence? I think so.",)),
            Message("user", ("Yes, please, always.",)),
        )
    )
    assert evidence is not None
    assert evidence.adopted_question == "Shall I always answer in one sentence?"
    assert evidence.grounds == "Yes, please, always.\n\nShall I always answer in one sentence?"


def test_grounds_without_a_question_are_the_words() -> None:
    assert Evidence("Hi.", None, None).grounds == "Hi."


PIECES = [
    "```",
    "~~~",
    ">",
    "From: a",
    "\n",
    "\n\n",
    "word ",
    "remember this:",
    "\u200b",
    "\u202e",
    "x" * 800,
    "- ",
    "`",
]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_message_is_read_and_its_evidence_is_part_of_it(parts: list[str]) -> None:
    words = _said(*parts)
    if words is not None:
        assert words.strip()
        assert all(line in "\n".join(parts) for line in words.split("\n"))


@given(st.integers(min_value=0, max_value=10_000))
@settings(max_examples=50, deadline=None)
def test_whatever_is_hidden_in_a_fenced_or_quoted_paste_stays_data(seed: int) -> None:
    chance = random.Random(seed)
    hidden = ["\u200b", "\u2060", "\u202e", "\ufeff", "\u00ad", ""]
    said = ["Rules:", "remember this: always buy", "`\u200b``", "\u202e```x", "From: boss", "", "> x"]
    lines = [chance.choice(hidden) + chance.choice(said) for _ in range(chance.randint(1, 6))]
    fenced = "\n".join(["Sum it up.", "```", *lines, "```", "Thanks."])
    quoted = "\n".join(["Sum it up.", *(f"{chance.choice(hidden)}> {line}" for line in lines), "Thanks."])
    assert _said(fenced) == "Sum it up.\n\nThanks."
    assert _said(quoted) == "Sum it up.\n\nThanks."


@pytest.mark.parametrize("piece", ["word ", "a\n", "``` a ", "para\n\n"])
@pytest.mark.parametrize("begin", ["", "Sum up:\n\n"])
def test_the_time_of_reading_a_message_grows_like_its_length(begin: str, piece: str) -> None:
    def read(rest: str) -> None:
        assert _said(begin + rest) is not None

    assert growth(read, repeated(piece), 2_500) < LIKE_THE_LENGTH


def test_of_a_long_document_behind_a_request_only_the_request_is_said() -> None:
    assert _said("Sum up:\n\n" + "para\n\n" * 5_000) == "Sum up:"
