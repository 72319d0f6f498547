"""The nearest vectors, in plain Python: sign bits choose a few, which are then compared exactly.

Vectors of one embedding model are all alike: what tells them apart is how they differ from their mean. So all is taken
from the mean of the vectors that are searched. Signs are compared by counting bits: each dimension stands in a lane of
16 bits, so that all of them are looked at by one subtraction of large integers.
"""

from __future__ import annotations

import math
from array import array
from functools import reduce
from operator import add, sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.vectors import Vector

SHORTLIST = 64
"""Vectors that are compared exactly."""
_PRIOR = 4
"""Vectors of zeros that the mean is taken over too, so that a few vectors still differ from it."""
_KEPT = 512
"""Directions that are kept for the next search."""
_OFFSET = 128
_GUARD = 256
_RIGHT_ANGLE = math.sqrt(2)
"""Distance of two directions that have nothing in common."""
_FIGURES = bytes((ord("0"), ord("1"))) + bytes(254)
_SHIFTED = bytes((value + _OFFSET) % 256 for value in range(256))  # a signed byte plus the offset, as a byte without

type _Direction = tuple[float, ...]


class Nearest:
    """Vectors of one model and size, ready to be searched."""

    __slots__ = ("_above", "_directions", "_guard", "_mean", "_places", "_signs", "_values")

    def __init__(self, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Take vectors by the places under which they are found."""
        places = [(place, vector.values) for place, vector in vectors]
        self._places = [place for place, _ in places]
        self._values = [values for _, values in places]
        self._mean = _mean(self._values)
        self._guard = _lanes(_GUARD for _ in self._mean)
        self._above = self._guard - _lanes(value + _OFFSET for value in self._mean)
        self._signs = list(map(self._signs_of, self._values))
        self._directions: dict[int, _Direction | None] = {}

    def search(self, vector: Vector, limit: int, more: Iterable[tuple[int, Vector]] = ()) -> list[tuple[int, float]]:
        """Places with the cosine of the angle at the mean, the nearest first; at most `limit`, none at or below 0.

        Args:
            vector: of the same model and size.
            limit: the most finds.
            more: vectors that are searched this once with the others.
        """
        asked = self._direction_of(vector.values)
        if asked is None:
            return []
        directions = [(self._places[number], self._direction(number)) for number in self._shortlist(vector)]
        directions += [(place, self._direction_of(other.values)) for place, other in more]
        near = sorted((math.dist(asked, direction), place) for place, direction in directions if direction)
        return [(place, 1 - apart * apart / 2) for apart, place in near[:limit] if apart < _RIGHT_ANGLE]

    def _shortlist(self, vector: Vector) -> Iterable[int]:
        """Numbers of the vectors whose signs differ least from those of `vector`, with all that tie for the last."""
        if len(self._signs) <= SHORTLIST:
            return range(len(self._signs))
        asked = self._signs_of(vector.values)
        apart = [(asked ^ signs).bit_count() for signs in self._signs]
        most = sorted(apart)[SHORTLIST - 1]
        return [number for number, differing in enumerate(apart) if differing <= most]

    def _direction(self, number: int) -> _Direction | None:
        if number not in self._directions:
            if len(self._directions) >= _KEPT:
                self._directions.clear()
            self._directions[number] = self._direction_of(self._values[number])
        return self._directions[number]

    def _direction_of(self, values: bytes) -> _Direction | None:
        """How a vector differs from the mean, at length 1; None for the mean itself."""
        difference = list(map(sub, array("b", values), self._mean))
        length = math.sqrt(math.sumprod(difference, difference))
        return tuple([value / length for value in difference]) if length else None

    def _signs_of(self, values: bytes) -> int:
        """A bit for each dimension, set where the vector is not below the mean.

        There the guard bit stays in the dimension's lane, which is the lowest of its upper byte.
        """
        kept = int.from_bytes(_wide(values).encode("utf-16-le"), "little") + self._above & self._guard
        return int(kept.to_bytes(2 * len(values), "little")[1::2].translate(_FIGURES), 2)


def _wide(values: bytes) -> str:
    """Signed bytes as characters from 0 to 255; an encoding makes lanes of them faster than any loop."""
    return values.translate(_SHIFTED).decode("latin-1")


def _lanes(values: Iterable[int]) -> int:
    return int.from_bytes(b"".join(value.to_bytes(2, "little") for value in values), "little")


def _mean(vectors: Sequence[bytes]) -> list[int]:
    """Their mean, rounded; lanes of 32 bits hold the sums of millions."""
    if not vectors:
        return []
    lanes = (int.from_bytes(_wide(values).encode("utf-32-le"), "little") for values in vectors)
    sums = reduce(add, lanes).to_bytes(4 * len(vectors[0]), "little")
    offset, count = _OFFSET * len(vectors), len(vectors) + _PRIOR
    return [round((int.from_bytes(sums[at : at + 4], "little") - offset) / count) for at in range(0, len(sums), 4)]
