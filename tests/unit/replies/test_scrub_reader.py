"""What is read from the scrub's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.errors import MalformedReply
from context_memory.domain.replies.scrub import ScrubReply, read_scrub

CASES = json.loads((Path(__file__).parents[2] / "cases" / "model_answers.json").read_text(encoding="utf-8"))
LINES = CASES["scrub_lines"]


def _read(text: str | None, *, final: bool = False, lines: list[str] = LINES) -> ScrubReply:
    return read_scrub(text, finish_reason="stop", lines=lines, final=final)


@pytest.mark.parametrize("case", [case for case in CASES["scrub"] if case["is"] == "clean"], ids=lambda c: c["name"])
def test_clean_keeps_every_line(case: dict[str, Any]) -> None:
    assert _read(case["answer"]) == ScrubReply(tuple(LINES), frozenset(), clean=True)


@pytest.mark.parametrize("case", [c for c in CASES["scrub"] if isinstance(c["is"], list)], ids=lambda c: c["name"])
def test_verdicts_drop_and_shorten_and_the_rest_stays(case: dict[str, Any]) -> None:
    reply = _read(case["answer"])
    assert [line for line in reply.lines if line is not None] == case["is"]
    assert not reply.clean
    assert not reply.failed


@pytest.mark.parametrize("case", [c for c in CASES["scrub"] if c["is"] == "asked again"], ids=lambda c: c["name"])
def test_everything_else_is_asked_again(case: dict[str, Any]) -> None:
    try:
        reply = _read(case["answer"])
    except MalformedReply:
        return
    assert reply.failed
    assert reply.lines == tuple(LINES)


def test_a_replacement_that_fails_twice_drops_its_line_alone() -> None:
    reply = _read("1: Works with Anna.\n2: Likes short answers.", final=True)
    assert reply.lines == (None, "Likes short answers.", LINES[2])
    assert not reply.failed


@pytest.mark.parametrize(
    "answer", ["3 drop", "`3 DROP`", "**3**: DROP.", "3: DROP", "<think>3?</think>3 DROP", "```\n3 DROP"]
)
def test_a_drop_is_recognised_in_many_dresses(answer: str) -> None:
    assert _read(answer).lines == (*LINES[:2], None)


@pytest.mark.parametrize(
    "answer",
    [
        "0 DROP",
        "2 DROP\n2: Short.",
        "1 DROP\nCLEAN",
        "Here you are:\n1 DROP",
        "CLEAN\n1 DROP",
        "2:",
        "9" * 5000 + " DROP",
        "Not clean at all\n```\nCLEAN\n```",
    ],
)
def test_a_contradictory_or_chatty_answer_is_malformed(answer: str) -> None:
    with pytest.raises(MalformedReply):
        _read(answer)


def test_an_answer_that_was_cut_is_malformed_even_when_it_says_clean() -> None:
    with pytest.raises(MalformedReply):
        read_scrub("CLEAN", finish_reason="length", lines=LINES)


@pytest.mark.parametrize(
    ("line", "replacement"),
    [
        ("Meets the client in Zug on day 14.", "Meets the client on day 15."),
        ("Meets the client in Zug on day 14.", "Meets client c@zug.example."),
        ("Meets the client in Zug every Monday.", "See www.zug.example."),
        ("Meets the client in Zug every Monday.", "Meets it in Genf."),
        ("Meets the client in Zug.", "Meets the iPhone client."),
        ("2026-06-17 11:40 UTC: Review of a portfolio.", "2026-06-18 11:40 UTC: Review."),
        ("Owns 1 car.", "Owns \uff12 car."),
    ],
)
def test_a_replacement_that_says_something_new_fails(line: str, replacement: str) -> None:
    assert _read(f"1: {replacement}", lines=[line]).failed == {0}


@pytest.mark.parametrize(
    ("line", "replacement"),
    [
        ("reviews the Muster portfolio with anna", "Reviews portfolios"),
        ("2026-06-17 11:40 UTC: Portfolio of J. Muster.", "2026-06-17 11:40 UTC: Reviews."),
        ("Prüft das Portfolio von J. Muster.", "Prüft Portfolio."),
        (
            "管理王先生的投资组合。",
            "管理投资组合。",
        ),
        ("Prefers short answers.", "Prefers short answers."),
    ],
)
def test_a_replacement_that_only_leaves_out_stands(line: str, replacement: str) -> None:
    assert _read(f"1: {replacement}", lines=[line]).lines == (replacement,)


PIECES = ["CLEAN", "1", "2", " DROP", ": ", "\n", "```", "secret-7", "<think>", "</think>"]


@given(
    st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_any_answer_is_read_or_malformed_and_no_line_grows(answer: str, final: bool) -> None:  # noqa: FBT001 - drawn
    reply, why = _read_or_why(answer, final=final)
    assert "secret-7" not in why
    assert len(reply.lines) == len(LINES)
    for before, after in zip(LINES, reply.lines, strict=True):
        assert after is None or len(after) <= len(before)


def _read_or_why(answer: str, *, final: bool) -> tuple[ScrubReply, str]:
    try:
        return _read(answer, final=final), ""
    except MalformedReply as error:
        return ScrubReply(tuple(LINES), frozenset(), clean=False), str(error)
