from __future__ import annotations

import pytest

from infra.local.offline_model.statements import sentences, statements


@pytest.mark.parametrize(
    "said",
    [
        "Hello there! How are you?",
        "Do I live in Basel?",
        "If I were a pilot I would live in Dubai.",
        "Imagine you are a pirate. I live on a ship. I work as a captain.",
        "Let's do a role play. I am a knight from Avalon.",
        "For this answer only, I prefer French.",
        "Just this once please answer in prose.",
        "My name is Lena Frei. Please don't remember this.",
        "My colleague Anna Keller lives in Bern.",
        "Meine Kollegin Petra wohnt in Chur.",
        "Wenn ich in Rom wohnen würde, hätte ich mehr Sonne.",
        "Nur für diese Antwort: antworte auf Französisch.",
        "假如我住在火星。",
        "```\nI live in a fence.\n```",
        "> I live in a quotation.",
    ],
)
def test_what_is_no_statement_about_the_user_is_left_out(said: str) -> None:
    assert statements(said) == ()


def test_a_sentence_behind_a_quotation_is_still_read() -> None:
    assert statements("> somebody said this\nI live in Bern.") == ("I live in Bern",)


def test_one_message_gives_one_statement_for_each_clause() -> None:
    said = "Hi, I'm Lena. I work as a nurse and live in Bern, and I love chess."
    assert statements(said) == ("My name is Lena", "I work as a nurse", "I live in Bern", "I love chess")


def test_a_subject_said_once_carries_over_in_german_too() -> None:
    assert statements("Ich heisse Jonas, arbeite als Lehrer und wohne in Thun.") == (
        "Ich heisse Jonas",
        "Ich arbeite als Lehrer",
        "Ich wohne in Thun",
    )


def test_a_request_in_the_form_of_a_question_counts_as_said() -> None:
    assert statements("Can you remind me to call Mia tomorrow?") == ("remind me to call Mia tomorrow",)


def test_abbreviations_initials_and_ordinals_end_no_sentence() -> None:
    assert sentences("Dr. Weber kommt am 3. Juli, z. B. um neun. Gut so.") == [
        "Dr. Weber kommt am 3. Juli, z. B. um neun.",
        "Gut so.",
    ]
