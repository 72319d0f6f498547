"""What is read from the answer of a consolidation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.errors import MalformedReply
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.rendering import render_body
from context_memory.domain.replies.condensation import read_body
from context_memory.domain.replies.consolidation import PIN_MARK, Reply, read_consolidation

CASES = json.loads((Path(__file__).parents[2] / "cases" / "model_answers.json").read_text(encoding="utf-8"))
FIELDS = ["identity", "communication_preferences", "work_context", "skills_expertise", "follow_ups", "recent_topics"]


def _bullets(case: dict[str, list[str]]) -> Bullets:
    return Bullets(*(tuple(case[field]) for field in FIELDS))


BASE = _bullets(CASES["stored"])
BODY = render_body(BASE.with_section(Section.WORK, ["Rolls out a new scanner."]))


def _finish(case: dict[str, Any]) -> str:
    return "length" if "length" in case["is"] else "stop"


def _of(outcome: str) -> list[dict[str, Any]]:
    return [case for case in CASES["consolidate"] if case["is"].split()[0] == outcome]


def _read(text: str | None, finish_reason: str = "stop") -> Reply:
    return read_consolidation(text, finish_reason=finish_reason, base=BASE)


@pytest.mark.parametrize("case", _of("noop"), ids=lambda case: case["name"])
def test_a_noop_is_read_as_such(case: dict[str, Any]) -> None:
    assert _read(case["answer"]) == Reply(noop=True, forget=False, candidate=None)


@pytest.mark.parametrize("case", _of("malformed"), ids=lambda case: case["name"])
def test_an_unreadable_answer_is_malformed(case: dict[str, Any]) -> None:
    with pytest.raises(MalformedReply):
        _read(case["answer"], _finish(case))


@pytest.mark.parametrize("case", _of("profile"), ids=lambda case: case["name"])
def test_a_body_is_read_with_every_bullet_it_states(case: dict[str, Any]) -> None:
    candidate = _read(case["answer"]).candidate
    assert candidate is not None
    expected = _bullets(case["bullets"])
    if "our own placeholder" in case["name"]:  # taken out by R7, behind this reader
        expected = expected.with_section(Section.IDENTITY, ["<fact about the user>"])
    for section in Section:
        # What is not filled is the base's, and copying it is not the reader's business.
        assert candidate.bullets[section] == (expected[section] if section in candidate.filled else ())


def test_six_placeholders_are_a_body_that_says_so() -> None:
    [case] = _of("refused")
    candidate = _read(case["answer"]).candidate
    assert candidate is not None
    assert candidate.bullets.blank
    assert candidate.filled == frozenset(Section)


@pytest.mark.parametrize(
    "wrapped",
    [
        f"```markdown\n{BODY}```",
        f"~~~~\n{BODY}~~~~\nAnything else?",
        f"Here you are:\n\n{BODY}",
        f"Sure.\n```\n{BODY}",
        f"<think>a <think> in it: {BODY}</think>\n{BODY}",
        f"```md\n<thinking>hm</thinking>\n{BODY}```",
        f"They changed scanners.</think>{BODY}",
        f"\ufeff{BODY}",
        f"\u200b{BODY}\n\nI added the scanner.",
        BODY.replace("\n", "\r\n"),
        f"{BODY}\n<think>Did I miss anything?\n- no</think>",
        f"---\nuser_id: eve\nturn_count: 9\n---\n{BODY}",
    ],
)
def test_a_wrapped_body_is_read_as_the_bare_one(wrapped: str) -> None:
    assert _read(wrapped) == _read(BODY)
    assert read_body(wrapped, finish_reason="stop") == _read(BODY).candidate


def test_a_fence_inside_a_bullet_does_not_end_the_outer_one_nor_count_as_one() -> None:
    body = render_body(BASE.with_section(Section.WORK, ["Signs so:\n```\nL.\n```", "Uses `<think>` tags."]))
    assert _read(f"```markdown\n{body}```") == _read(body)
    candidate = _read(body).candidate
    assert candidate is not None
    assert candidate.bullets.work == ("Signs so:\n```\nL.\n```", "Uses `<think>` tags.")


def test_an_outer_fence_that_is_never_closed_is_not_closed_by_a_fence_within() -> None:
    answer = "```markdown\n## Identity\n```\ncode\n```\n\n## Work Context\n- Leads a team.\n"
    candidate = _read(answer).candidate
    assert candidate is not None
    assert candidate.bullets.work == ("Leads a team.",)


def test_forget_alone_on_the_first_line_is_said_with_the_body() -> None:
    for answer in (f"FORGET\n{BODY}", f"**FORGET**\n\n```\n{BODY}```", f"```\nFORGET\n{BODY}```"):
        reply = _read(answer)
        assert reply.forget
        assert reply.candidate == _read(BODY).candidate


def test_forget_with_words_behind_it_or_within_a_bullet_is_no_request_to_forget() -> None:
    assert not _read(f"FORGET nothing, just update:\n{BODY}").forget
    assert not _read(BODY.replace("Rolls out a new scanner.", "FORGET")).forget


def test_forget_without_a_body_is_malformed() -> None:
    with pytest.raises(MalformedReply):
        _read("FORGET")


def test_a_noop_counts_even_when_the_answer_was_cut_behind_it() -> None:
    assert _read("NOOP: the user only", "length").noop


def test_a_noop_before_a_body_that_was_cut_is_malformed() -> None:
    with pytest.raises(MalformedReply):
        _read(f"NOOP\n{render_body(BASE)}", "length")


def test_a_noop_before_a_fenced_and_changed_body_is_malformed() -> None:
    with pytest.raises(MalformedReply):
        _read(f"NOOP\n```markdown\n{BODY}```")


def test_a_copied_pin_mark_is_no_part_of_the_bullet_unless_it_was_before() -> None:
    body = render_body(BASE).replace("in Bern.", f"in Bern.{PIN_MARK}")
    candidate = _read(body).candidate
    assert candidate is not None
    assert candidate.bullets.same_as(BASE)
    own = BASE.with_section(Section.WORK, [f"Marks threads as{PIN_MARK}"])
    kept = read_consolidation(render_body(own), finish_reason="stop", base=own).candidate
    assert kept is not None
    assert kept.bullets.work == own.work


@pytest.mark.parametrize("finish_reason", ["length", "content_filter", "tool_calls", ""])
def test_a_body_that_was_not_finished_is_malformed(finish_reason: str) -> None:
    with pytest.raises(MalformedReply):
        _read(BODY, finish_reason)


PIECES = [
    "NOOP",
    "FORGET",
    "## Identity",
    "- secret-7",
    "```",
    "<think>",
    "</think>",
    "\n",
    " ",
    "---",
    "_(empty)_",
    "## X",
]


@given(st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
@settings(max_examples=200, deadline=None)
def test_any_answer_is_read_or_malformed_and_the_reason_never_quotes_it(answer: str) -> None:
    assert "secret-7" not in _why_malformed(answer)


def _why_malformed(answer: str) -> str:
    try:
        _read(answer)
    except MalformedReply as error:
        return str(error)
    return ""
