"""How many facts a user may have: beyond that the least valuable go, or, where none may go, new ones are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.worth import by_worth

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from context_memory.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Fitting:
    """The facts that stay, by id; how many went for want of room, and ids of new ones that found none."""

    standing: Mapping[str, Fact]
    pruned: int = 0
    refused: frozenset[str] = frozenset()


def within_cap(
    standing: Mapping[str, Fact], *, added: Collection[str], cap: int, pruning: bool, at_most: int
) -> Fitting:
    """Make room.

    Args:
        standing: the facts as they would stand, by id.
        added: ids of those that are new and stand in no other's place.
        cap: how many may stay.
        pruning: whether the least valuable go; without it it is the new ones that must.
        at_most: how many may go at once, where the cap was lowered.
    """
    over = min(len(standing) - cap, at_most)
    if over <= 0:
        return Fitting(standing)
    if pruning:
        gone = frozenset(fact.id for fact in by_worth(standing.values())[:over])
        return Fitting(_without(standing, gone), pruned=len(gone))
    fresh = by_worth(standing[one] for one in added if one in standing)
    refused = frozenset(fact.id for fact in fresh[:over])
    return Fitting(_without(standing, refused), refused=refused)


def _without(standing: Mapping[str, Fact], gone: frozenset[str]) -> dict[str, Fact]:
    return {one: fact for one, fact in standing.items() if one not in gone}
