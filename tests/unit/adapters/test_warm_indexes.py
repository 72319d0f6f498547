"""Which indexes are kept warm, and that each answers for its own scope alone."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters.indexes.full_text import FullText, rows
from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.scope_index import ScopeIndex
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.ids import UserKey
from context_memory.domain.recall.match import Query
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, SALES, a_fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope

TEA = [a_fact("Likes tea"), a_fact("Likes green tea"), a_fact("Owns a teapot")]
ALIKE = (
    LENA,
    UserScope(UserKey("acme", "lena1")),
    UserScope(UserKey("acme1", "lena")),
    COMPANY,
    SharedScope("acme1"),
    SALES,
    SharedScope("acme1", "sales"),
    SharedScope("acme", "sales1"),
    SharedScope("acme", "global"),
)
"""Scopes whose names are nearly the same."""
SAID = ("Likes tea", "Likes green tea", "Owns a teapot", "Drinks tea at noon")


class Made(WarmIndexes):
    """It notes the scopes that were indexed, in their order."""

    def __init__(self, most_kept: int = 1000) -> None:
        super().__init__(most_kept, indexed=self._noted)
        self.scopes: list[FactScope] = []

    def _noted(self, scope: FactScope, facts: Sequence[Fact]) -> ScopeIndex:
        self.scopes.append(scope)
        return ScopeIndex(scope, facts)


def test_an_index_stays_while_the_version_of_its_scope_stands() -> None:
    indexes = Made()
    for version in (1, 1, 2, 2, 1):
        indexes.over([IndexedScope(LENA, version, TEA)])
    assert indexes.scopes == [LENA] * 3


def test_what_is_shared_is_indexed_once_for_all_who_read_it() -> None:
    indexes, shared = Made(), IndexedScope(COMPANY, 4, TEA)
    for user in (LENA, ALIKE[1], LENA):
        indexes.over([IndexedScope(user, 1, TEA[:1]), shared])
    assert indexes.scopes == [LENA, COMPANY, ALIKE[1]]


def test_the_index_asked_for_longest_ago_goes_first() -> None:
    indexes = Made(most_kept=2 * len(TEA))
    for scope in (LENA, SALES, LENA, COMPANY, LENA, SALES):
        indexes.over([IndexedScope(scope, 1, TEA)])
    assert indexes.scopes == [LENA, SALES, COMPANY, SALES]


def test_an_index_larger_than_all_that_is_kept_is_kept_alone() -> None:
    indexes = Made(most_kept=1)
    for _ in range(2):
        indexes.over([IndexedScope(LENA, 1, TEA)])
    assert indexes.scopes == [LENA]


def test_what_holds_nothing_is_not_kept() -> None:
    indexes = Made()
    assert indexes.over([IndexedScope(scope, 0, ()) for scope in ALIKE]).search(Query(text="tea")) == []
    assert not indexes.scopes


def facts_of(scope: FactScope, version: int, epoch: int) -> list[Fact]:
    """The texts of all scopes are the same; what else there is tells whose facts they are, and when."""
    return [
        a_fact(text, scope, keywords=(f"v{version}",), epoch=epoch, vector=quantised("e5", [version, at, 1.0]))
        for at, text in enumerate(SAID)
        if (at + version) % 3
    ]


INDEXED = st.builds(
    lambda scope, version, epoch: IndexedScope(scope, version, facts_of(scope, version, epoch), epoch),
    st.sampled_from(ALIKE),
    st.integers(1, 3),
    st.integers(0, 1),
)


@given(st.lists(st.lists(INDEXED, max_size=3, unique_by=lambda one: one.scope), max_size=12))
def test_whatever_is_kept_a_search_gives_what_a_fresh_index_of_its_scopes_gives(
    asked: list[list[IndexedScope]],
) -> None:
    """So nothing of a scope that was not named, of another version or another epoch has a say, not even in a score."""
    indexes = WarmIndexes(most_kept=20)
    query = Query(
        text="green tea", vector=quantised("e5", [1.0, 2.0, 0.5]), ephemeral=(a_fact("Tea", tier=Tier.EPHEMERAL),)
    )
    for scopes in asked:
        found = indexes.over(scopes).search(query)
        assert found == InMemoryIndex(scopes).search(query)
        known = {(one.scope, fact) for one in scopes for fact in one.facts}
        assert {(match.scope, match.fact) for match in found if match.scope} <= known


def test_searches_at_once_do_not_see_each_others_passing_facts() -> None:
    index = WarmIndexes().over([IndexedScope(LENA, 1, TEA)])
    together = threading.Barrier(4)

    def search(number: int) -> set[str]:
        together.wait()
        said = tuple(a_fact(f"Tea number {number} {at}") for at in range(20))
        return {match.fact.text for match in index.search(Query(text="tea number", ephemeral=said))}

    with ThreadPoolExecutor(4) as pool:
        for number, found in enumerate(pool.map(search, range(4))):
            assert found == {f"Tea number {number} {at}" for at in range(20)} | {fact.text for fact in TEA[:2]}


def test_a_database_is_closed_with_its_index() -> None:
    full_text = FullText(rows(TEA))
    database = full_text._database  # noqa: SLF001 - what must be closed is nobody else's to see
    del full_text
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")
