"""Products of vectors by counting bits: the only arithmetic over many small numbers that plain Python is fast at.

A vector is kept in four bits a dimension, what it is compared with in three. Each bit of all dimensions is a plane, an
integer with a bit for each dimension. The product of two vectors is the sum of the bits that two planes share, each
counted by the weight of both; planes of one weight are counted at once, side by side in one larger integer.

Over some hundred dimensions the errors of rounding nearly cancel out: a cosine is off by about a hundredth.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ZERO = 128
"""What a byte of a vector is where the vector is 0."""
_BITS, _BITS_ASKED, _BITS_OF_BYTES = 4, 3, 8
_STEP, _STEP_ASKED = 0.34, 0.6
"""From level to level, of the usual size of a dimension; what is further out counts as the outermost level."""
_LEVELS, _LEVELS_ASKED = 1 << _BITS, 1 << _BITS_ASKED
_MIDDLE, _MIDDLE_ASKED = (_LEVELS - 1) / 2, (_LEVELS_ASKED - 1) / 2
_WEIGHTS = [1 << weight for weight in range(_BITS + _BITS_ASKED - 1)]
_DIGITS = [bytes(ord("0") + (value >> bit & 1) for value in range(256)) for bit in range(_BITS_OF_BYTES)]
_GUARD = 512
_FARTHEST = 256
_GUARD_AS_DIGIT = bytes.maketrans(bytes((0, _GUARD >> 8)), b"01")


class Coded(NamedTuple):
    """A vector: its planes, the highest in front, and the sum of its levels."""

    planes: int
    total: int


class Coder:
    """Codes vectors, and compares them.

    Args:
        length: of the vectors, some of them at least.
        dimensions: how many they have.
    """

    __slots__ = ("_levels", "_step")

    def __init__(self, length: float, dimensions: int) -> None:
        self._step = _step(_STEP, length, dimensions)
        levels = ((value - ZERO) // self._step + _LEVELS // 2 for value in range(256))
        self._levels = bytes(min(max(level, 0), _LEVELS - 1) for level in levels)

    def coded(self, values: bytes) -> Coded:
        """A vector, as bytes around `ZERO`."""
        levels = values.translate(self._levels)
        digits = b"".join(levels.translate(_DIGITS[bit]) for bit in reversed(range(_BITS)))
        return Coded(int(digits, 2), sum(levels))

    def products(self, vectors: Sequence[Coded], way: Way) -> list[float]:
        """The product of each vector with a way."""
        counts = [[(one.planes & mask).bit_count() for one in vectors] for mask in way.masks]
        unit = self._step * way.step
        fixed = _MIDDLE * (_MIDDLE_ASKED * way.dimensions - way.total)
        return [
            unit * (math.sumprod(_WEIGHTS, of_one) - _MIDDLE_ASKED * one.total + fixed)
            for one, of_one in zip(vectors, zip(*counts, strict=True), strict=True)
        ]


class Point:
    """A point with all of its bits, from which ways lead.

    Args:
        values: a number from 0 to 255 for each dimension.
    """

    __slots__ = ("_from", "_guards", "_ones", "planes", "total", "values")

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values = values
        self.planes = [int(bytes(values).translate(digits), 2) for digits in _DIGITS]
        self.total = sum(values)
        self._ones = _wide(b"\1" * len(values))
        self._guards = _GUARD * self._ones
        self._from = self._guards - _wide(bytes(values))

    def above(self, other: bytes, least: Sequence[int] = (0,)) -> list[int]:
        """For each of some numbers a bit for each dimension, set where `other` is at least so far beyond this point.

        There the guard bit stays in the dimension's lane.
        """
        beyond = self._from + _wide(other)
        within = (min(max(number, -_FARTHEST), _FARTHEST) for number in least)  # no lane may flow over
        kept = (beyond - number * self._ones & self._guards for number in within)
        return [int(each.to_bytes(2 * len(other), "little")[1::2].translate(_GUARD_AS_DIGIT), 2) for each in kept]


class Way:
    """The way from a point to another, coded, as what vectors are compared with.

    Attributes:
        length: of the way itself.
        masks: its planes, laid out for each weight as those of vectors are.
        signs: a bit for each dimension, set where the way does not lead down.
        total: the sum of its levels.
    """

    __slots__ = ("_planes", "dimensions", "length", "masks", "signs", "step", "total")

    def __init__(self, begin: Point, end: bytes) -> None:
        self.dimensions = len(end)
        self.length = math.dist(begin.values, end)
        self.step = _step(_STEP_ASKED, self.length, self.dimensions)
        middle = _LEVELS_ASKED // 2
        above = begin.above(end, [(level - middle) * self.step for level in range(1, _LEVELS_ASKED)])
        self.signs = above[middle - 1]
        self.total = sum(map(int.bit_count, above))
        # Each level has the bits of all levels below it: whether a number has a bit tells how many of them there are.
        self._planes = [reduce(xor, above[(1 << bit) - 1 :: 1 << bit]) for bit in range(_BITS_ASKED)]
        self.masks = [
            sum(
                self._planes[weight - bit] << bit * self.dimensions
                for bit in range(_BITS)
                if 0 <= weight - bit < _BITS_ASKED
            )
            for weight in range(len(_WEIGHTS))
        ]

    def product(self, point: Point) -> float:
        """The product with a point that has all of its bits."""
        shared = sum(
            (one & other).bit_count() << weight + more
            for weight, one in enumerate(point.planes)
            for more, other in enumerate(self._planes)
        )
        return self.step * (shared - ZERO * self.total - _MIDDLE_ASKED * (point.total - ZERO * self.dimensions))


def _step(share: float, length: float, dimensions: int) -> int:
    return max(round(share * length / math.sqrt(max(dimensions, 1))), 1)


def _wide(values: bytes) -> int:
    """Bytes in lanes of 16 bits; an encoding widens them faster than any loop."""
    return int.from_bytes(values.decode("latin-1").encode("utf-16-le"), "little")
