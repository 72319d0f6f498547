"""The nearest vectors, in plain Python: sign bits choose a few, which are then compared exactly.

Vectors of one embedding model are all alike: what tells them apart is how they differ from their mean. So all is taken
from the mean of the vectors that are searched together. Signs are taken from the mean of each scope's own, once, and
compared by counting bits: each dimension stands in a lane of 16 bits, so that all of them are looked at by one
subtraction of large integers.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.fusion import Leg

SHORTLIST = 48
"""Vectors that are compared exactly."""
FEWEST = 33
"""Of them, those of one scope where several are searched together."""
_PRIOR = 4
"""Vectors of zeros that the mean is taken over too, so that a few vectors still differ from it."""
_OFFSET = 128
_GUARD = 256
_SHIFTED = bytes((value + _OFFSET) % 256 for value in range(256))  # a signed byte plus the offset, as a byte without
_FLOATS = tuple(map(float, range(256)))
_FIGURES = bytes((ord("0"), ord("1"))) + bytes(254)

type _Point = tuple[int, ...]
"""A vector with the offset on each dimension: Python makes no new objects for integers from 0 to 255."""


class Vectors:
    """Vectors of one model and size, ready to be searched.

    Attributes:
        sums: of each dimension, over all of them, with the offset on each.
        mean: of them, a prior included.
        known: the place under which each is found, its point, and how far from the mean that is.
    """

    __slots__ = ("_above", "_guard", "_signs", "known", "mean", "sums")

    def __init__(self, vectors: Iterable[tuple[int, Vector]], dimensions: int) -> None:
        """Take vectors of this size by the places under which they are found."""
        shifted = [(place, _shifted(vector)) for place, vector in vectors]
        self.sums = _sums([values for _, values in shifted], dimensions)
        self.mean = _mean(self.sums, len(shifted))
        self._guard = _lanes(_GUARD for _ in self.mean)
        self._above = self._guard - _lanes(self.mean)
        self._signs = [self._signs_of(values) for _, values in shifted]
        self.known = [(place, point := tuple(values), math.dist(point, self.mean)) for place, values in shifted]

    def shortlist(self, asked: bytes, most: int) -> Sequence[tuple[int, _Point, float]]:
        """Of `known` those whose signs differ least from those of a shifted vector, with all that tie for the last."""
        if len(self.known) <= most:
            return self.known
        signs = self._signs_of(asked)
        apart = [(signs ^ others).bit_count() for others in self._signs]
        farthest = sorted(apart)[most - 1]
        return [known for known, differing in zip(self.known, apart, strict=True) if differing <= farthest]

    def _signs_of(self, shifted: bytes) -> int:
        """A bit for each dimension, set where the vector is not below the mean.

        There the guard bit stays in the dimension's lane, which is the lowest of its upper byte.
        """
        kept = _wide(shifted, "utf-16-le") + self._above & self._guard
        return int(kept.to_bytes(2 * len(shifted), "little")[1::2].translate(_FIGURES), 2)


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
    point = tuple(map(_FLOATS.__getitem__, asked))  # so that each comparison converts one side only
    mean = _common_mean([vectors for _, vectors in scopes])
    length = math.dist(point, mean)
    most = max(SHORTLIST // len(scopes), FEWEST)
    near = sorted(
        (-_cosine(length, away, math.dist(point, other)), place)
        for place, other, away in _placed(scopes, asked, most, mean)
        if length and away
    )
    return [(place, -opposite) for opposite, place in near[:limit] if opposite < 0]


def _placed(
    scopes: Sequence[tuple[int, Vectors]], asked: bytes, most: int, mean: _Point
) -> Iterator[tuple[int, _Point, float]]:
    """The shortlists of all scopes, with the places among all of them, and how far each is from the mean of all."""
    for first, vectors in scopes:
        for place, point, away in vectors.shortlist(asked, most):
            yield first + place, point, away if mean is vectors.mean else math.dist(point, mean)


def _common_mean(scopes: Sequence[Vectors]) -> _Point:
    if len(scopes) == 1:
        return scopes[0].mean
    sums = tuple(map(sum, zip(*(vectors.sums for vectors in scopes), strict=True)))
    return _mean(sums, sum(len(vectors.known) for vectors in scopes))


def _cosine(one: float, other: float, apart: float) -> float:
    """Of the angle at the mean between two points, by the sides of their triangle."""
    return min((one * one + other * other - apart * apart) / (2 * one * other), 1.0)


def _shifted(vector: Vector) -> bytes:
    return vector.values.translate(_SHIFTED)


def _wide(values: bytes, encoding: str) -> int:
    """Bytes in wider lanes of one large integer; an encoding widens them faster than any loop."""
    return int.from_bytes(values.decode("latin-1").encode(encoding), "little")


def _lanes(values: Iterable[int]) -> int:
    return int.from_bytes(b"".join(value.to_bytes(2, "little") for value in values), "little")


def _sums(shifted: Sequence[bytes], dimensions: int) -> tuple[int, ...]:
    """Of each dimension; lanes of 32 bits hold the sums of millions."""
    total = reduce(add, (_wide(values, "utf-32-le") for values in shifted), 0).to_bytes(4 * dimensions, "little")
    return tuple(int.from_bytes(total[at : at + 4], "little") for at in range(0, len(total), 4))


def _mean(sums: Sequence[int], vectors: int) -> _Point:
    """Rounded."""
    count = vectors + _PRIOR
    return tuple((each + _PRIOR * _OFFSET + count // 2) // count for each in sums)
