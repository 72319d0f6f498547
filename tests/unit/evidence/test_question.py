# ruff: noqa: RUF001 - what people type is spelled in their own scripts
"""Which question a short reply answers."""

from __future__ import annotations

import pytest

from context_memory.domain.evidence.question import adopted_question, count_words

ASKED = "Do you live in Bern?"


def test_a_reply_of_twelve_words_adopts_and_one_of_thirteen_does_not() -> None:
    assert adopted_question("word " * 12, ASKED) == ASKED
    assert adopted_question("word " * 13, ASKED) == ""


def test_in_scripts_without_blanks_two_characters_count_as_a_word() -> None:
    assert count_words("是的。") == 1
    assert count_words("はい、Rustで") == 2.5
    assert adopted_question("是" * 24, ASKED) == ASKED
    assert adopted_question("是" * 25, ASKED) == ""


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ("You are a nurse. Do you work nights? Tell me.", "Do you work nights?"),
        ("Metric units? And in German?", "Metric units? And in German?"),
        ("你在上海吗？我猜是。", "你在上海吗？"),
        (
            "هل تسكن هنا؟ حسنا.",
            "هل تسكن هنا؟",
        ),
        ("See https://x.example/?q=1 for file.txt. Fine.", ""),
        ("**Shall I go on?**", "**Shall I go on?**"),
        ("You live in Bern.", ""),
        ("> Do you sell?\n\n```\nreally?\n```\nDone.", ""),
        ("Options:\n- weekly?\n- daily", "- weekly?"),
        ("Really?!", "Really?!"),
    ],
)
def test_only_the_questions_of_the_earlier_answer_are_adopted(earlier: str, question: str) -> None:
    assert adopted_question("Yes.", earlier) == question


def test_without_an_earlier_answer_there_is_no_question() -> None:
    assert adopted_question("Yes.", None) == ""
