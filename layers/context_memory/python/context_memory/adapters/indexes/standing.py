"""Finds in an index that is behind its store: only what still stands is given, and as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Fact
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from context_memory.domain.recall.match import Match

type Named = Callable[[UserKey, SharedScope, Iterable[str]], Sequence[Fact]]
"""Reads those facts of a shared scope that still stand (`FactReads.named`)."""


def standing(named: Named, user: UserKey, found: Iterable[Match]) -> list[Match]:
    """The matches whose facts still stand in their shared scopes, in their order.

    Raises:
        StoreUnavailable: nobody knows.
    """
    found = list(found)
    scopes = {match.scope: [one.fact.id for one in found if one.scope == match.scope] for match in found}
    known = {
        fact.id: fact  # the ids of different scopes differ
        for scope, ids in scopes.items()
        if isinstance(scope, SharedScope)
        for fact in named(user, scope, ids)
    }
    return [replace(match, fact=known[match.fact.id]) for match in found if match.fact.id in known]
