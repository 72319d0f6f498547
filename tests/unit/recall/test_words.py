"""Facts found by their words: as SQLite's full text finds them, and however many scopes they are spread over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters.indexes.full_text import FullText, rows
from context_memory.domain.facts.fact import Source
from context_memory.domain.recall import terms
from context_memory.domain.recall.words import Words, by_words
from tests.support.facts import NOON, a_fact

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact

SAID = """
    tea teas green Lena lives living in Basel Haus Häusern Krankenversicherung Versicherung e-mail 2026 17 June naïve
    works at the Bank банк работает 苏黎世 我住在苏黎世 猫 東京で猫を飼っている café organisation organisations
""".split()  # noqa: SIM905 - a list of words is read as a text
TEXT = st.lists(st.sampled_from(SAID), min_size=1, max_size=8).map(" ".join)
QUERY = st.lists(st.sampled_from([*SAID, "im", "März", "juin", "where", "does", "she"]), max_size=8).map(" ".join)


def fact_of(number: int, text: str, chat: int | None) -> Fact:
    return a_fact(
        f"{text} {number}",
        created_at=NOON + timedelta(days=17 * number),
        source=Source(f"t{number}", None if chat is None else f"chat-{chat}"),
    )


FACTS = st.lists(st.tuples(TEXT, st.none() | st.integers(1, 2)), max_size=12).map(
    lambda drawn: [fact_of(number, text, chat) for number, (text, chat) in enumerate(drawn)]
)


def scores(scopes: list[list[Fact]], query: str) -> dict[int, float]:
    found = by_words([Words(facts) for facts in scopes], terms.asked(query), 100)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    return dict(found)


@given(FACTS, QUERY)
def test_scores_are_those_of_sqlite(facts: list[Fact], query: str) -> None:
    assert scores([facts], query) == pytest.approx(dict(FullText(rows(facts)).search(query, 100)), rel=1e-9)


@given(FACTS, st.integers(0, 12), QUERY)
def test_facts_of_two_scopes_have_the_scores_that_they_would_have_in_one(
    facts: list[Fact], cut: int, query: str
) -> None:
    alone = [fact_of(number, fact.text, None) for number, fact in enumerate(facts)]
    assert scores([alone[:cut], [], alone[cut:]], query) == pytest.approx(scores([alone], query), rel=1e-9)


def test_the_best_are_given_and_no_more_than_are_asked_for() -> None:
    words = Words([a_fact(f"tea {'and milk ' * at}") for at in range(9)])
    assert [place for place, _ in by_words([words], terms.asked("tea"), 3)] == [0, 1, 2]


def test_an_index_gives_the_same_however_much_it_was_asked() -> None:
    facts = [fact_of(number, f"word{number} of all", 1) for number in range(400)]
    words = Words(facts)
    first = by_words([words], terms.asked("word7"), 10)
    for number in range(400):
        by_words([words], terms.asked(f"word{number}"), 10)
    assert by_words([words], terms.asked("word7"), 10) == first
    assert first[0][0] == 7
