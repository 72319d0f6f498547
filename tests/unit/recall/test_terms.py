"""The words of an index and of a query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.recall.terms import MOST_WORDS, asked, day, indexed


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What did she do during the war?", ("war",)),
        ("Wer war das damals im Krieg?", ("damals", "krieg")),
        ("¿Dónde vive la hermana de Juan?", ("vive", "hermana", "juan")),
        ("who are you", ("who", "are", "you")),
        ("your e-mail", ("e", "mail", "email")),
        ("我的猫叫什么", ("猫叫", "叫什", "什么")),
    ],
)
def test_stop_words_are_left_out_by_the_language_of_the_query(query: str, words: tuple[str, ...]) -> None:
    assert set(words) <= set(asked(query).words)
    assert not {"the", "das", "la", "im"} & set(asked(query).words)


def test_an_english_query_leaves_forms_to_the_stemmer_of_the_index() -> None:
    assert asked("Where does she keep the insurance papers?").stems == ()
    assert asked("Wo liegen die Versicherungsunterlagen?").stems == ("lieg", "versicherungsunterlag")


def test_an_english_text_has_parts_of_long_words_and_no_stems() -> None:
    english = indexed("She has a Krankenversicherung")
    assert english.stems == ""
    assert "versicherung" in english.parts.split()


@pytest.mark.parametrize("query", ["im März", "en mars", "w marcu, in March", "3月", "3 月に"])
def test_months_are_named_in_english(query: str) -> None:
    assert asked(query).months[-1:] == ("march",)
    assert "march" in day(datetime(2026, 3, 9, tzinfo=UTC)).split()


def test_figures_that_are_no_month_are_none() -> None:
    assert asked("13月 0月 123月").months == ()


def test_a_long_text_is_looked_for_by_its_beginning_and_its_end() -> None:
    words = asked(" ".join(f"word{at:05}" for at in range(9000))).words
    assert len(words) == MOST_WORDS
    assert (words[0], words[-1]) == ("word00000", "word08999")


@given(st.text(max_size=300))
def test_no_word_holds_what_would_end_it_in_a_query(text: str) -> None:
    found = asked(text)
    for word in (*found.words, *found.stems, *found.parts):
        assert word
        assert not set(word) & set(' "*()^:-')
