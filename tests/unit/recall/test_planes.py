"""Products by counting bits: of what was coded they are exact."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.recall.planes import ZERO, Coder, Point, Way

DIMENSIONS = 384
BYTES = st.binary(min_size=8, max_size=8)


@given(BYTES, BYTES, st.lists(st.integers(-255, 255), min_size=1, max_size=9))
def test_a_point_tells_in_which_dimensions_another_is_beyond_it(begin: bytes, end: bytes, least: list[int]) -> None:
    expected = [
        int("".join(str(int(there - here >= number)) for here, there in zip(begin, end, strict=True)), 2)
        for number in least
    ]
    assert Point(tuple(begin)).above(end, least) == expected


def coded_way(begin: bytes, end: bytes, step: int) -> list[float]:
    """A way as it is coded: the middle of the level that each difference is in, of eight."""
    levels = (max(-4, min(3, (there - here) // step)) for here, there in zip(begin, end, strict=True))
    return [(level + 0.5) * step for level in levels]


@given(BYTES, BYTES, BYTES)
def test_the_product_of_a_way_with_a_point_is_that_of_its_levels(begin: bytes, end: bytes, other: bytes) -> None:
    way, point = Way(Point(tuple(begin)), end), Point(tuple(other))
    expected = math.sumprod(coded_way(begin, end, way.step), [value - ZERO for value in other])
    assert way.product(point) == pytest.approx(expected, abs=1e-6)


@given(st.lists(BYTES, max_size=5), BYTES, BYTES)
def test_the_product_of_a_way_with_a_vector_is_that_of_both_their_levels(
    vectors: list[bytes], begin: bytes, end: bytes
) -> None:
    way, length = Way(Point(tuple(begin)), end), 80.0
    coder = Coder(length, len(end))
    step = round(0.34 * length / math.sqrt(len(end)))
    levels = [[(max(-8, min(7, (value - ZERO) // step)) + 0.5) * step for value in vector] for vector in vectors]
    expected = [math.sumprod(coded_way(begin, end, way.step), values) for values in levels]
    assert coder.products([coder.coded(vector) for vector in vectors], way) == pytest.approx(expected, abs=1e-6)


def test_of_many_dimensions_the_product_is_nearly_that_of_the_vectors() -> None:
    dice = random.Random(1)
    one, other = (bytes(round(dice.gauss(ZERO, 25)) for _ in range(DIMENSIONS)) for _ in range(2))
    end = bytes((a + b) // 2 for a, b in zip(one, other, strict=True))
    origin = Point((ZERO,) * DIMENSIONS)
    way, coder = Way(origin, end), Coder(math.dist(one, origin.values), DIMENSIONS)
    exact = math.sumprod([value - ZERO for value in one], [value - ZERO for value in end])
    [product] = coder.products([coder.coded(one)], way)
    assert product == pytest.approx(exact, abs=0.05 * way.length * math.dist(one, origin.values))
    assert exact > 0.5 * way.length * math.dist(one, origin.values)


def test_a_way_that_leads_nowhere_and_vectors_of_no_size_are_harmless() -> None:
    origin = Point((ZERO,) * 3)
    way = Way(origin, bytes(origin.values))
    assert way.length == 0
    assert len(Coder(0.0, 3).products([Coder(0.0, 3).coded(bytes(3))], way)) == 1
