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
        ("Metric units? And in German?", "And in German?"),
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
def test_only_the_last_question_of_the_earlier_answer_is_adopted(earlier: str, question: str) -> None:
    assert adopted_question("Yes.", earlier) == question


def test_without_an_earlier_answer_there_is_no_question() -> None:
    assert adopted_question("Yes.", None) == ""


@pytest.mark.parametrize(
    "refusal",
    [
        "no",
        "No, always in metric.",
        "Nope!",
        "not now",
        "I don't think so",
        "rather not, thanks",
        "never",
        "ok, but don't remember that",
        "yes, but do not store it",
        "certainly not",
        "claro que no",
        "bien sûr que non",
        "ja nicht!",
        "不对",
        "好像不是",
        "Nein, danke.",
        "lieber nicht",
        "non merci",
        "Non, je ne veux pas.",
        "No, gracias.",
        "no, mai",
        "não, obrigado",
        "nee, liever niet",
        "нет",
        "不用了，谢谢",
        "没有",
        "いいえ、結構です",
        "아니요",
    ],
)
def test_a_refusal_adopts_no_question(refusal: str) -> None:
    assert adopted_question(refusal, "Shall I remember that you are diabetic?") == ""


@pytest.mark.parametrize(
    "thanks",
    [
        "thanks, next one please",
        "Thank you!",
        "thanks, that is all I needed",
        "great, thanks a lot",
        "next one please",
        "danke, weiter",
        "Vielen Dank!",
        "merci beaucoup",
        "gracias, la siguiente",
        "grazie mille",
        "obrigada",
        "谢谢，下一个",
        "ありがとう",
    ],
)
def test_thanks_and_moving_on_adopt_no_question(thanks: str) -> None:
    assert adopted_question(thanks, "Is your boss called Max?") == ""


@pytest.mark.parametrize(
    "agreement",
    [
        "Yes, please, always.",
        "yes, thanks",
        "thanks, yes",
        "No problem, yes.",
        "no worries",
        "why not",
        "Yes, but not on Mondays.",
        "ja, aber nicht montags",
        "没错",
        "thanks, metric",
        "Metric, please.",
        "sure",
        "Ja, gerne, danke.",
        "kein Problem",
        "Oui, merci.",
        "pourquoi pas",
        "Sí, siempre.",
        "sì, grazie",
        "sim",
        "ja graag",
        "да",
        "好的，谢谢",
        "没问题",
        "はい、お願いします",
        "non-metric would be a pain, metric please",
    ],
)
def test_agreement_and_an_answer_adopt_the_question(agreement: str) -> None:
    asked = "Shall I always use metric units?"
    assert adopted_question(agreement, asked) == asked


@pytest.mark.parametrize(
    "reply", ["Both, please.", "yes, all of them", "ja, beide", "oui, les deux", "都要", "両方お願いします"]
)
def test_a_reply_to_several_questions_adopts_them_all(reply: str) -> None:
    assert adopted_question(reply, "Metric units? I can. And in German?") == "Metric units? And in German?"


@pytest.mark.parametrize("reply", ["Yes, that's all.", "yes, all right", "yes please"])
def test_a_reply_to_one_question_leaves_the_earlier_ones(reply: str) -> None:
    assert adopted_question(reply, "Are you diabetic? Shall I go on?") == "Shall I go on?"
