"""What every backend does with the core facts of scopes that nobody reads whole: they come whatever is asked."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.lance.service import LanceService
from context_memory.adapters.lance_backend import LanceBackend, LanceTables
from context_memory.adapters.sqlite_backend import SqliteBackend
from context_memory.domain.facts.fact import Tier
from context_memory.domain.recall.floors import NONE
from context_memory.domain.recall.match import Query
from context_memory.domain.recall.selection import MOST_CORE
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.indexes import LargeScope
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, NOON, a_fact
from tests.support.lance_tables import NOBODY, asking
from tests.support.recalling import Published

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.recall.match import Match

CANTEEN = a_fact("The canteen closes at two", COMPANY)
RULES = [
    a_fact(f"Rule of day {day}", COMPANY, tier=Tier.CORE, last_confirmed_at=NOON + timedelta(days=day))
    for day in range(MOST_CORE + 5)
]
FACTS = [CANTEEN, *RULES]

type Look = Callable[..., Sequence[Match]]


@pytest.fixture(params=["sqlite_fts", "lance"])
def look(request: pytest.FixtureRequest, tmp_path: Path) -> Look:
    """Ask for a text in a large scope whose index was made at version 1, while these of its facts still stand."""
    among = partial(InMemoryIndex, floors=NONE)

    def search(text: str, version: int = 1, stand: Iterable[Fact] = FACTS) -> Sequence[Match]:
        def named(_user: object, _scope: object, ids: Iterable[str]) -> list[Fact]:
            return [fact for fact in stand if fact.id in set(ids)]

        backend: SqliteBackend | LanceBackend
        if request.param == "sqlite_fts":
            published = Published()
            published.publish(COMPANY, Facts(FactsHead(1, len(FACTS)), tuple(FACTS)))
            snapshots = KeptSnapshots(published, tmp_path, named)
            backend = SqliteBackend(indexes=WarmIndexes(), snapshots=snapshots, among=among)
        else:
            ask = asking(LanceService(root=str(tmp_path), options={}))
            LanceTables(ask=ask, lender=lambda _: NOBODY, model=None).replace(IndexedScope(COMPANY, 1, FACTS))
            backend = LanceBackend(ask=ask, lender=lambda _: NOBODY, named=named, among=among)
        own = IndexedScope(LENA, 0, ())
        return backend.over(LENA.user, [own], [LargeScope(COMPANY, version)]).search(Query(text=text))

    return search


def test_they_come_behind_what_was_found_those_confirmed_last_first(look: Look) -> None:
    first, *rest = look("canteen")
    assert (first.fact, first.why) == (CANTEEN, ("keywords",))
    assert [match.fact for match in rest] == RULES[: -MOST_CORE - 1 : -1]
    assert {(match.scope, match.score, match.why) for match in rest} == {(COMPANY, 0.0, ("core",))}


def test_one_that_the_question_asks_for_comes_once_and_says_why(look: Look) -> None:
    found = look(f"day {MOST_CORE}")
    assert (found[0].fact, found[0].why) == (RULES[MOST_CORE], ("keywords",))
    assert len({match.fact.id for match in found}) == len(found)


def test_of_an_index_that_is_behind_those_come_that_still_stand(look: Look) -> None:
    assert [match.fact for match in look("canteen", version=2, stand=RULES[-2:])] == RULES[:-3:-1]
