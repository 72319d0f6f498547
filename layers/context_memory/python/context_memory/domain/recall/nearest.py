"""The nearest vectors, in plain Python: signs choose a few, which are then compared more closely.

Vectors of one embedding model are all alike: what tells them apart is how they differ from their mean. So all is taken
from the mean of the vectors that are searched together. Signs are taken once, from the mean of each scope's own.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from context_memory.domain.recall.planes import ZERO, Coder, Point, Way

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.fusion import Leg

SHORTLIST = 48
"""Vectors that are compared closely, of each scope."""
_PRIOR = 4
"""Vectors of zeros that the mean is taken over too, so that a few vectors still differ from it."""
_SHIFTED = bytes((value + ZERO) % 256 for value in range(256))  # a signed byte plus the offset, as a byte without
_LOOKED_AT = 16
"""Vectors that tell how long they all are."""


class Vectors:
    """Vectors of one model and size, ready to be searched.

    Attributes:
        sums: of each dimension, over all of them, with the offset on each.
        mean: of them, a prior included.
        places: under which they are found.
        coded: the vectors themselves.
        away: how far from the mean each of them is.
        coder: compares them.
    """

    __slots__ = ("_signs", "away", "coded", "coder", "mean", "places", "sums")

    def __init__(self, vectors: Iterable[tuple[int, Vector]], dimensions: int) -> None:
        """Take vectors of this size by the places under which they are found."""
        known = [(place, _shifted(vector)) for place, vector in vectors]
        shifted = [values for _, values in known]
        self.places = [place for place, _ in known]
        self.sums = _sums(shifted, dimensions)
        self.mean = Point(_mean(self.sums, len(known)))
        origin = (ZERO,) * dimensions
        self.coder = Coder(max((math.dist(one, origin) for one in shifted[:_LOOKED_AT]), default=0.0), dimensions)
        self.coded = list(map(self.coder.coded, shifted))
        self.away = [math.dist(values, self.mean.values) for values in shifted]
        self._signs = [signs for values in shifted for signs in self.mean.above(values)]

    def shortlist(self, signs: int) -> Sequence[int]:
        """Which of the vectors have signs that differ least from these, with all that tie for the last."""
        if len(self._signs) <= SHORTLIST:
            return range(len(self._signs))
        apart = [(signs ^ others).bit_count() for others in self._signs]
        farthest = sorted(apart)[SHORTLIST - 1]
        return [at for at, differing in enumerate(apart) if differing <= farthest]


def by_meaning(scopes: Sequence[tuple[int, Vectors]], vector: Vector, limit: int) -> Leg:
    """Places with the cosine of the angle at the mean, the nearest first; at most `limit`, none at or below 0.

    Args:
        scopes: are searched together, each with the place of its first fact among all.
        vector: of the same model and size.
        limit: the most finds.
    """
    if not scopes:
        return []
    asked = _shifted(vector)
    mean = _common_mean([vectors for _, vectors in scopes])
    way = Way(mean, asked)
    if not way.length:
        return []
    zero = way.product(mean)
    near = sorted(
        (-min((product - zero) / (way.length * away), 1.0), first + place)
        for first, vectors in scopes
        for place, product, away in _compared(vectors, asked, way, mean)
        if away
    )
    return [(place, -opposite) for opposite, place in near[:limit] if opposite < 0]


def _compared(vectors: Vectors, asked: bytes, way: Way, mean: Point) -> Iterable[tuple[int, float, float]]:
    """Places of those that may be near, their products with a way, and how far they are from the mean of all."""
    among_others = mean is not vectors.mean
    near = vectors.shortlist(vectors.mean.above(asked)[0] if among_others else way.signs)
    coded = [vectors.coded[at] for at in near]
    away = [vectors.away[at] for at in near]
    if among_others:
        there = Way(mean, bytes(vectors.mean.values))
        zero = there.product(vectors.mean)
        ahead = vectors.coder.products(coded, there)
        squares = (one**2 + 2 * (product - zero) + there.length**2 for one, product in zip(away, ahead, strict=True))
        away = [math.sqrt(max(square, 0.0)) for square in squares]
    return zip([vectors.places[at] for at in near], vectors.coder.products(coded, way), away, strict=True)


def _common_mean(scopes: Sequence[Vectors]) -> Point:
    if len(scopes) == 1:
        return scopes[0].mean
    sums = tuple(map(sum, zip(*(vectors.sums for vectors in scopes), strict=True)))
    return Point(_mean(sums, sum(len(vectors.places) for vectors in scopes)))


def _shifted(vector: Vector) -> bytes:
    return vector.values.translate(_SHIFTED)


def _sums(shifted: Sequence[bytes], dimensions: int) -> tuple[int, ...]:
    """Of each dimension; lanes of 32 bits hold the sums of millions."""
    wide = (int.from_bytes(values.decode("latin-1").encode("utf-32-le"), "little") for values in shifted)
    total = reduce(add, wide, 0).to_bytes(4 * dimensions, "little")
    return tuple(int.from_bytes(total[at : at + 4], "little") for at in range(0, len(total), 4))


def _mean(sums: Sequence[int], vectors: int) -> tuple[int, ...]:
    """Rounded."""
    count = vectors + _PRIOR
    return tuple((each + _PRIOR * ZERO + count // 2) // count for each in sums)
