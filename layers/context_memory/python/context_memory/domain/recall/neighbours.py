"""What was said around a fact: its chat's facts before and behind it, whose words lead to it too."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact

SPAN = 2
"""Facts before and behind."""


def neighbours(facts: Sequence[Fact]) -> list[tuple[int, ...]]:
    """For each fact the places of its neighbours in `facts`; none for a fact that is of no chat."""
    chats = defaultdict[str, list[int]](list)
    for place, fact in enumerate(facts):
        if fact.source.chat_id is not None:
            chats[fact.source.chat_id].append(place)
    around: list[tuple[int, ...]] = [()] * len(facts)
    for places in chats.values():
        places.sort(key=lambda place: (facts[place].created_at, facts[place].id))
        for at, place in enumerate(places):
            around[place] = (*places[max(at - SPAN, 0) : at], *places[at + 1 : at + 1 + SPAN])
    return around
