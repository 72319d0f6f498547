"""The nearest vectors, in plain Python: sign bits choose a few, which are then compared exactly.

Vectors of one embedding model are all alike: what tells them apart is how they differ from their mean. So all is taken
from the mean of the vectors that are searched. Signs are compared by counting bits: each dimension stands in a lane of
16 bits, so that all of them are looked at by one subtraction of large integers.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.vectors import Vector

SHORTLIST = 48
"""Vectors that are compared exactly."""
_PRIOR = 4
"""Vectors of zeros that the mean is taken over too, so that a few vectors still differ from it."""
_OFFSET = 128
_GUARD = 256
_SHIFTED = bytes((value + _OFFSET) % 256 for value in range(256))  # a signed byte plus the offset, as a byte without
_FIGURES = bytes((ord("0"), ord("1"))) + bytes(254)

type _Point = tuple[int, ...]
"""A vector with the offset on each dimension: Python makes no new objects for integers from 0 to 255."""


class Nearest:
    """Vectors of one model and size, ready to be searched."""

    __slots__ = ("_above", "_guard", "_known", "_mean", "_signs")

    def __init__(self, vectors: Iterable[tuple[int, Vector]], dimensions: int) -> None:
        """Take vectors of this size by the places under which they are found."""
        shifted = [(place, vector.values.translate(_SHIFTED)) for place, vector in vectors]
        self._mean = _mean([values for _, values in shifted], dimensions)
        self._guard = _lanes(_GUARD for _ in self._mean)
        self._above = self._guard - _lanes(self._mean)
        self._signs = [self._signs_of(values) for _, values in shifted]
        self._known = [(place, *self._placed(values)) for place, values in shifted]

    def search(self, vector: Vector, limit: int, more: Iterable[tuple[int, Vector]] = ()) -> list[tuple[int, float]]:
        """Places with the cosine of the angle at the mean, the nearest first; at most `limit`, none at or below 0.

        Args:
            vector: of the same model and size.
            limit: the most finds.
            more: vectors that are searched this once with the others.
        """
        asked = vector.values.translate(_SHIFTED)
        point, length = self._placed(asked)
        floats = tuple(map(float, point))  # so that each comparison converts one side only
        others = [(place, *self._placed(other.values.translate(_SHIFTED))) for place, other in more]
        near = [
            (_cosine(length, away, math.dist(floats, other)), place)
            for place, other, away in (*self._shortlist(asked), *others)
            if length and away
        ]
        near.sort(key=lambda find: (-find[0], find[1]))
        return [(place, cosine) for cosine, place in near[:limit] if cosine > 0]

    def _shortlist(self, asked: bytes) -> Sequence[tuple[int, _Point, float]]:
        """The vectors whose signs differ least from those of a shifted one, with all that tie for the last."""
        if len(self._known) <= SHORTLIST:
            return self._known
        signs = self._signs_of(asked)
        apart = [(signs ^ others).bit_count() for others in self._signs]
        most = sorted(apart)[SHORTLIST - 1]
        return [known for known, differing in zip(self._known, apart, strict=True) if differing <= most]

    def _placed(self, shifted: bytes) -> tuple[_Point, float]:
        """A shifted vector as a point, and how far from the mean it is."""
        point = tuple(shifted)
        return point, math.dist(point, self._mean)

    def _signs_of(self, shifted: bytes) -> int:
        """A bit for each dimension, set where the vector is not below the mean.

        There the guard bit stays in the dimension's lane, which is the lowest of its upper byte.
        """
        kept = _wide(shifted, "utf-16-le") + self._above & self._guard
        return int(kept.to_bytes(2 * len(shifted), "little")[1::2].translate(_FIGURES), 2)


def _cosine(one: float, other: float, apart: float) -> float:
    """Of the angle at the mean between two points, by the sides of their triangle."""
    return min((one * one + other * other - apart * apart) / (2 * one * other), 1.0)


def _wide(values: bytes, encoding: str) -> int:
    """Bytes in wider lanes of one large integer; an encoding widens them faster than any loop."""
    return int.from_bytes(values.decode("latin-1").encode(encoding), "little")


def _lanes(values: Iterable[int]) -> int:
    return int.from_bytes(b"".join(value.to_bytes(2, "little") for value in values), "little")


def _mean(shifted: Sequence[bytes], dimensions: int) -> _Point:
    """Their mean, rounded; lanes of 32 bits hold the sums of millions."""
    count = len(shifted) + _PRIOR
    total = reduce(add, (_wide(values, "utf-32-le") for values in shifted), 0).to_bytes(4 * dimensions, "little")
    sums = (int.from_bytes(total[at : at + 4], "little") for at in range(0, len(total), 4))
    return tuple((each + _PRIOR * _OFFSET + count // 2) // count for each in sums)
