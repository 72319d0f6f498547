"""One order out of two: a weighted sum of what each leg's scores are between its best and its last.

Textbook reciprocal rank fusion over deep lists puts what is fiftieth in both lists above what is first in one. Here a
leg speaks for its first `DEPTH` finds only, and a score far above the others stays far above.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEPTH = 32
"""Finds of a leg that count."""

type Leg = Sequence[tuple[int, float]]
"""Places of facts with their scores above 0, the best first."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A find: its place, its score between 0 and 1, and the names of the legs that found it."""

    place: int
    score: float
    legs: tuple[str, ...]


def fused(legs: Mapping[str, Leg], depth: int = DEPTH) -> list[Fused]:
    """All finds of the legs, the best first; a leg without finds has no say, the others weigh alike.

    Args:
        legs: the finds of each, by its name.
        depth: finds of a leg that count. The score of the next one is its zero, so that the last still counts.
    """
    speaking = {name: leg for name, leg in legs.items() if leg}
    scores, named = defaultdict[int, float](float), defaultdict[int, list[str]](list)
    for name, leg in speaking.items():
        lowest = leg[depth][1] if len(leg) > depth else 0.0
        span = leg[0][1] - lowest
        for place, score in leg[:depth]:
            scores[place] += ((score - lowest) / span if span else 1.0) / len(speaking)
            named[place].append(name)
    order = sorted(scores, key=lambda place: -scores[place])
    return [Fused(place, min(scores[place], 1.0), tuple(named[place])) for place in order]
