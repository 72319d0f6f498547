"""The default backend: full text and vectors in memory, made of the facts that the store just gave."""

from __future__ import annotations

from collections import OrderedDict
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.adapters.indexes.full_text import DEFAULT, FullText, rows
from context_memory.domain.recall.fusion import DEPTH, followed, fused
from context_memory.domain.recall.match import KEYWORDS, MEANING, Match
from context_memory.domain.recall.nearest import Nearest
from context_memory.domain.recall.ranking import ranked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from context_memory.adapters.indexes.full_text import Weights
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.match import Query
    from context_memory.ports.recall import FactIndex, IndexedScope

_MOST_KEPT = 20_000
"""Facts of all warm indexes together, each index counted as `AN_INDEX` more: some 20 MB."""
AN_INDEX = 80
"""So many facts take as much memory as an index in which there are none."""


class SqliteFts:
    """Indexes by the versions of their scopes; the one that was asked for longest ago goes first."""

    def __init__(self, most_kept: int = _MOST_KEPT) -> None:
        self._most_kept = most_kept
        self._warm: OrderedDict[tuple[IndexedScope, ...], InMemoryIndex] = OrderedDict()
        self._one_at_a_time = Lock()

    def over(self, scopes: Sequence[IndexedScope]) -> FactIndex:
        """An index over all of these together; the one at hand, if all versions still stand."""
        key = tuple(scopes)
        with self._one_at_a_time:
            index = self._warm.pop(key, None) or InMemoryIndex(scopes)
            self._warm[key] = index
            while len(self._warm) > 1 and self._size() > self._most_kept:
                self._warm.popitem(last=False)
        return index

    def _size(self) -> int:
        return sum(AN_INDEX + len(index) for index in self._warm.values())


class InMemoryIndex:
    """Facts of some scopes, found by words and by meaning.

    Args:
        scopes: their facts.
        weights: what a word counts by where it stands.
        depth: finds of each leg that count.
    """

    def __init__(self, scopes: Sequence[IndexedScope], weights: Weights = DEFAULT, depth: int = DEPTH) -> None:
        self._depth = depth
        self._facts: list[tuple[Fact, FactScope | None]] = [
            (fact, each.scope) for each in scopes for fact in each.facts
        ]
        self._full_text = FullText(chain.from_iterable(rows(each.facts) for each in scopes), weights)
        self._nearest: dict[tuple[str, int], Nearest] = {}
        self._one_at_a_time = Lock()

    def __len__(self) -> int:
        return len(self._facts)

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches of both legs, the best first; of identical texts the best one."""
        facts = self._facts + [(fact, None) for fact in query.ephemeral]
        wanted = max(self._depth + 1, query.limit)
        with self._one_at_a_time:
            legs = {
                KEYWORDS: self._full_text.search(query.text, wanted, rows(query.ephemeral), len(self)),
                MEANING: self._by_meaning(query.vector, query.ephemeral) if query.vector else [],
            }
        finds = followed(fused(legs, self._depth), KEYWORDS, legs[KEYWORDS])
        return ranked((Match(*facts[find.place], find.score, find.legs) for find in finds), query.limit)

    def _by_meaning(self, vector: Vector, ephemeral: Sequence[Fact]) -> list[tuple[int, float]]:
        """Only vectors of the same model are looked at: those of another say nothing about this one."""
        made = (vector.model, vector.dimensions)
        if made not in self._nearest:
            self._nearest[made] = Nearest(_vectors((fact for fact, _ in self._facts), made), vector.dimensions)
        return self._nearest[made].search(vector, self._depth + 1, _vectors(ephemeral, made, len(self)))


def _vectors(facts: Iterable[Fact], made: tuple[str, int], first: int = 0) -> Iterator[tuple[int, Vector]]:
    """The vectors of one model and size, by the places of their facts."""
    for place, fact in enumerate(facts, start=first):
        if fact.vector is not None and (fact.vector.model, fact.vector.dimensions) == made:
            yield place, fact.vector
