"""Indexes in memory, one for each scope, made of the facts that the store just gave and kept while these stand."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.scope_index import ScopeIndex
from context_memory.domain.recall.floors import MEASURED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.recall.floors import Floors
    from context_memory.ports.recall import FactIndex, IndexedScope

_MOST_KEPT = 20_000
"""Facts of all warm indexes together: some 40 MB with their vectors."""

type Indexed = Callable[[FactScope, Sequence[Fact]], ScopeIndex]


class WarmIndexes:
    """`Indexes`: what is shared is indexed once, for all who may read it.

    An index is found under its scope, and holds the facts of that scope alone. The one that was asked for longest ago
    goes first.

    Args:
        most_kept: facts of all indexes together.
        floors: how near a fact must be that its vector alone leads to.
        indexed: makes the index of a scope.
    """

    def __init__(self, most_kept: int = _MOST_KEPT, floors: Floors = MEASURED, indexed: Indexed = ScopeIndex) -> None:
        self._most_kept = most_kept
        self._floors = floors
        self._indexed = indexed
        self._warm: OrderedDict[FactScope, tuple[IndexedScope, ScopeIndex]] = OrderedDict()
        self._one_at_a_time = Lock()

    def over(self, scopes: Sequence[IndexedScope]) -> FactIndex:
        """An index over all of these together, of those at hand whose versions still stand."""
        with self._one_at_a_time:
            return InMemoryIndex.of([self._index_of(scope) for scope in scopes if scope.facts], self._floors)

    def _index_of(self, scope: IndexedScope) -> ScopeIndex:
        known = self._warm.get(scope.scope)
        if known is None or known[0] != scope:
            known = self._warm[scope.scope] = scope, self._indexed(scope.scope, scope.facts)
        self._warm.move_to_end(scope.scope)
        while len(self._warm) > 1 and self._size() > self._most_kept:
            self._warm.popitem(last=False)
        return known[1]

    def _size(self) -> int:
        return sum(len(index.facts) for _, index in self._warm.values())
