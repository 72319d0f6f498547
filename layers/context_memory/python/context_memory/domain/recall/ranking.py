"""The order in which finds are told: by score, then by when they were last confirmed, identical texts once."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.recall.match import Match


def ranked(found: Iterable[Match], limit: int) -> list[Match]:
    """Of finds, the best first, no more than `limit`; of those with one score the one confirmed last comes first."""
    once: dict[str, Match] = {}
    for _, level in groupby(found, key=attrgetter("score")):
        alike = list(level)
        if len(alike) > 1:
            alike.sort(key=lambda match: (match.fact.last_confirmed_at, match.fact.id), reverse=True)
        for match in alike:
            if len(once) == limit:
                return list(once.values())
            once.setdefault(normalised(match.fact.text), match)
    return list(once.values())
