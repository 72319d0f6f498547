"""One order out of two: a weighted sum of what each leg's scores are between its best and its last.

Textbook reciprocal rank fusion over deep lists puts what is fiftieth in both lists above what is first in one. Here a
leg speaks for its first `DEPTH` finds only, and a score far above the others stays far above.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEPTH = 32
"""Finds of a leg that count."""

type Leg = Sequence[tuple[int, float]]
"""Places of facts with their scores above 0, the best first."""


class Fused(NamedTuple):
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
    speaking = [(name, leg) for name, leg in legs.items() if leg]
    scores: dict[int, float] = {}
    named: dict[int, tuple[str, ...]] = {}
    for name, leg in speaking:
        lowest = leg[depth][1] if len(leg) > depth else 0.0
        span = (leg[0][1] - lowest) * len(speaking)
        alone = (name,)
        for place, score in leg[:depth]:
            share = (score - lowest) / span if span else 1 / len(speaking)
            known = scores.get(place)
            scores[place] = share if known is None else known + share
            named[place] = alone if known is None else (*named[place], name)
    best = sorted(scores.items(), key=itemgetter(1), reverse=True)
    return [Fused(place, min(score, 1.0), named[place]) for place, score in best]


def followed(found: Sequence[Fused], name: str, leg: Leg) -> list[Fused]:
    """`found`, then those finds of a leg that came too late to have a say, in their order.

    Whoever asks for many facts wants them all the same; their scores are below all others'.
    """
    known = {find.place for find in found}
    rest = [place for place, _ in leg if place not in known]
    lowest = found[-1].score if found else 1.0
    late = (Fused(place, lowest * (1 - number / (len(rest) + 1)), (name,)) for number, place in enumerate(rest, 1))
    return [*found, *late]
