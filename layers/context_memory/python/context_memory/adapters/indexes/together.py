"""Finds of several indexes, made one order: scores of different indexes say little about each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from context_memory.ports.recall import FactIndex, IndexedScope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.recall.match import Match

type Among = Callable[[Sequence[IndexedScope]], FactIndex]
"""Makes a fresh index over these facts and no others (`InMemoryIndex`)."""


def by_scope(found: Iterable[Match]) -> Iterator[IndexedScope]:
    """The facts that were found, by their scopes, for an index that ranks them once.

    Facts of the chat are left out, and those that nothing in the query asks for.
    """
    scopes: dict[FactScope, list[Fact]] = {}
    for match in found:
        if match.scope is not None and not match.always:
            scopes.setdefault(match.scope, []).append(match.fact)
    for scope, facts in scopes.items():
        yield IndexedScope(scope, 0, facts)


def with_core(ranked: Sequence[Match], found: Iterable[Match]) -> list[Match]:
    """What was ranked, and behind it the core facts among the finds that nothing in the query asks for."""
    known = {match.fact.id for match in ranked}
    return [*ranked, *(match for match in found if match.always and match.fact.id not in known)]
