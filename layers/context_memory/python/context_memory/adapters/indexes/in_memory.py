"""Facts of several scopes in one order, found in the indexes that each scope has for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from context_memory.adapters.indexes.scope_index import ScopeIndex
from context_memory.domain.recall import terms
from context_memory.domain.recall.floors import MEASURED
from context_memory.domain.recall.fusion import DEPTH, followed, fused
from context_memory.domain.recall.match import KEYWORDS, MEANING, Match
from context_memory.domain.recall.nearest import by_meaning
from context_memory.domain.recall.ranking import ranked
from context_memory.domain.recall.weights import DEFAULT
from context_memory.domain.recall.words import by_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.floors import Floors
    from context_memory.domain.recall.fusion import Fused
    from context_memory.domain.recall.match import Query
    from context_memory.domain.recall.nearest import Vectors
    from context_memory.domain.recall.weights import Weights
    from context_memory.ports.recall import IndexedScope


class InMemoryIndex:
    """`FactIndex` over some scopes, made anew of their facts.

    Args:
        scopes: their facts.
        weights: what a word counts by where it stands.
        depth: finds of each leg that count.
        floors: how near a fact must be that its vector alone leads to.
    """

    def __init__(
        self,
        scopes: Sequence[IndexedScope],
        *,
        weights: Weights = DEFAULT,
        depth: int = DEPTH,
        floors: Floors = MEASURED,
    ) -> None:
        self._scopes = [ScopeIndex(each.scope, each.facts, weights) for each in scopes]
        self._depth = depth
        self._floors = floors

    @classmethod
    def of(cls, scopes: Sequence[ScopeIndex], floors: Floors) -> Self:
        """Over scopes that are indexed already."""
        index = cls((), floors=floors)
        index._scopes = [*scopes]
        return index

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches of both legs, the best first; of identical texts the best one."""
        scopes = [*self._scopes, ScopeIndex(None, query.ephemeral)] if query.ephemeral else self._scopes
        counted = self._depth + 1  # one more, whose score is the leg's zero
        legs = {
            KEYWORDS: by_words([one.words for one in scopes], terms.asked(query.text), max(counted, query.limit)),
            MEANING: by_meaning([*_vectors(scopes, query.vector)], query.vector, counted) if query.vector else [],
        }
        finds = followed(fused(legs, self._depth), KEYWORDS, legs[KEYWORDS])
        return ranked(self._matches(scopes, finds, dict(legs[MEANING])), query.limit)

    def _matches(
        self, scopes: Sequence[ScopeIndex], finds: Iterable[Fused], cosines: Mapping[int, float]
    ) -> Iterator[Match]:
        for find in finds:
            fact, scope = _fact_at(find.place, scopes)
            if self._floors.keep(find, fact, cosines.get(find.place, 0.0)):
                yield Match(fact, scope, find.score, find.legs)


def _vectors(scopes: Iterable[ScopeIndex], vector: Vector) -> Iterator[tuple[int, Vectors]]:
    """What can be compared with a vector, each with the place of its scope's first fact among all."""
    first = 0
    for one in scopes:
        if vectors := one.vectors(vector.model, vector.dimensions):
            yield first, vectors
        first += len(one.facts)


def _fact_at(place: int, scopes: Iterable[ScopeIndex]) -> tuple[Fact, FactScope | None]:
    """The fact that has this place among those of all scopes, and its scope."""
    for one in scopes:
        if place < len(one.facts):
            return one.facts[place], one.scope
        place -= len(one.facts)
    raise IndexError("There is no such place.")
