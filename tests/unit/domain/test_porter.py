"""English stems, as SQLite makes them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.language.porter import stem

BEGINNINGS = (
    "act adjust agr commun cr dec electr fall fil fl hop knock optim probab rel sens skyy tann tr triv yell über"
)
ENDINGS = """
    s sses ies ss eed ed ing at bl iz y ational tional enci anci izer logi bli alli entli eli ousli ization ation ator
    alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance er ic able ible ant
    ement ment ent ion ou ism ate iti ous ive ize e ll
"""
WORD = st.tuples(
    st.sampled_from(BEGINNINGS.split()), st.lists(st.sampled_from(ENDINGS.split()), max_size=3).map("".join)
).map("".join)


def in_sqlite(words: list[str]) -> list[str]:
    """What SQLite's tokenizer makes of each word."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE words USING fts5(word, tokenize='porter unicode61 remove_diacritics 0')")
        database.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)")
        database.executemany("INSERT INTO words(rowid, word) VALUES (?, ?)", enumerate(words))
        return [found for (found,) in database.execute("SELECT term FROM stems ORDER BY doc")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("hop hops hopped hopping", "hop"),
        ("file files filing", "file"),
        ("connect connected connecting connection connections", "connect"),
        ("hobby hobbies", "hobbi"),
        ("relate relational", "relat"),
        ("sky", "sky"),
        ("is", "is"),
        ("", ""),
    ],
)
def test_forms_of_a_word_have_one_stem(words: str, expected: str) -> None:
    assert {stem(word) for word in words.split(" ")} == {expected}


@given(st.lists(st.one_of(WORD, st.text("aeiouybdglnstw", min_size=1, max_size=70)), min_size=1, max_size=30))
def test_stems_are_those_of_sqlite(words: list[str]) -> None:
    assert [stem(word) for word in words] == in_sqlite(words)
