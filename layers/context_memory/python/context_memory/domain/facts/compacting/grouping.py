"""Which old facts a model is shown together: those that speak of the same thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.vectors import cosine
from context_memory.domain.language.words import content_words, without_faint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact, Tier

LARGEST_GROUP = 12
"""Facts that one call is about."""
_MOST_COMPARED = 400
"""Each is compared with each: of more facts the oldest come first."""
SHARED_WORDS = 0.34
"""Of the words of the shorter text."""
_SAME_DIRECTION = 0.9
"""Cosine from which two vectors speak of the same thing; models of the E5 family give 0.7 to anything."""


@dataclass(frozen=True, slots=True)
class _Known:
    fact: Fact
    words: frozenset[str]

    @property
    def place(self) -> tuple[Tier, str | None, str | None]:
        """What all facts of a group share: what was learned through a channel can be parted from the rest."""
        return self.fact.tier, self.fact.source.space_id, self.fact.source.provider


def groups(facts: Sequence[Fact]) -> list[tuple[Fact, ...]]:
    """Groups of at least two facts of one tier, space and channel, each fact in one group at most.

    Args:
        facts: in the order in which they are to be looked at.
    """
    left = [_Known(fact, without_faint(content_words(fact.text))) for fact in facts[:_MOST_COMPARED]]
    found: list[tuple[Fact, ...]] = []
    while left:
        first, *others = left
        alike = sorted(
            (other for other in others if other.place == first.place and _speak_of_the_same(first, other)),
            key=lambda other: -shared(first.words, other.words),
        )[: LARGEST_GROUP - 1]
        if alike:
            found.append((first.fact, *(one.fact for one in alike)))
        taken = {first.fact.id, *(one.fact.id for one in alike)}
        left = [one for one in left if one.fact.id not in taken]
    return found


def _speak_of_the_same(one: _Known, other: _Known) -> bool:
    return shared(one.words, other.words) >= SHARED_WORDS or _point_alike(one.fact, other.fact)


def shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How many of the words of the shorter text the other one has, too."""
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0


def _point_alike(one: Fact, other: Fact) -> bool:
    first, second = one.vector, other.vector
    if first is None or second is None or (first.model, first.dimensions) != (second.model, second.dimensions):
        return False
    return cosine(first, second) >= _SAME_DIRECTION
