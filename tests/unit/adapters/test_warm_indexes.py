"""Which indexes are kept warm."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.indexes.full_text import FullText, rows
from context_memory.adapters.indexes.sqlite_fts import AN_INDEX, SqliteFts
from context_memory.domain.recall.match import Query
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, SALES, a_fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.adapters.indexes.full_text import Row

TEA = [a_fact("Likes tea"), a_fact("Likes green tea"), a_fact("Owns a teapot")]


def test_an_index_stays_while_the_versions_of_its_scopes_stand() -> None:
    indexes = SqliteFts()
    first = indexes.over([IndexedScope(LENA, 1, TEA), IndexedScope(COMPANY, 4, [])])
    assert indexes.over([IndexedScope(LENA, 1, ()), IndexedScope(COMPANY, 4, ())]) is first
    assert indexes.over([IndexedScope(LENA, 1, TEA), IndexedScope(COMPANY, 5, [])]) is not first


def test_the_index_asked_for_longest_ago_goes_first() -> None:
    indexes = SqliteFts(most_kept=2 * (AN_INDEX + len(TEA)))
    kept = [indexes.over([IndexedScope(scope, 1, TEA)]) for scope in (LENA, SALES)]
    assert indexes.over([IndexedScope(LENA, 1, TEA)]) is kept[0]
    indexes.over([IndexedScope(COMPANY, 1, TEA)])
    assert indexes.over([IndexedScope(LENA, 1, TEA)]) is kept[0]
    assert indexes.over([IndexedScope(SALES, 1, TEA)]) is not kept[1]


def test_an_index_larger_than_all_that_is_kept_is_kept_alone() -> None:
    indexes = SqliteFts(most_kept=1)
    index = indexes.over([IndexedScope(LENA, 1, TEA)])
    assert indexes.over([IndexedScope(LENA, 1, TEA)]) is index


def test_indexes_in_which_there_is_nothing_are_not_kept_for_ever() -> None:
    indexes = SqliteFts(most_kept=2 * AN_INDEX)
    first, *_ = [indexes.over([IndexedScope(scope, 0, ())]) for scope in (LENA, SALES, COMPANY)]
    assert indexes.over([IndexedScope(LENA, 0, ())]) is not first


def test_searches_at_once_do_not_see_each_others_passing_facts() -> None:
    index = SqliteFts().over([IndexedScope(LENA, 1, TEA)])
    together = threading.Barrier(4)

    def search(number: int) -> set[str]:
        together.wait()
        said = tuple(a_fact(f"Tea number {number} {at}") for at in range(20))
        return {match.fact.text for match in index.search(Query(text="tea number", ephemeral=said))}

    with ThreadPoolExecutor(4) as pool:
        for number, found in enumerate(pool.map(search, range(4))):
            assert found == {f"Tea number {number} {at}" for at in range(20)} | {fact.text for fact in TEA[:2]}


def test_what_fails_in_the_middle_leaves_nothing_behind() -> None:
    full_text = FullText(rows(TEA))

    def failing() -> Iterator[Row]:
        yield from rows([a_fact("Tea that is given back")])
        raise OSError("the source of rows failed")

    with pytest.raises(OSError, match="source of rows"):
        full_text.search("tea", 10, failing(), place=3)
    assert {place for place, _ in full_text.search("tea", 10)} == {0, 1}


def test_a_database_is_closed_with_its_index() -> None:
    full_text = FullText(rows(TEA))
    database = full_text._database  # noqa: SLF001 - what must be closed is nobody else's to see
    del full_text
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")
