"""The nearest vectors: a shortlist by signs, then the exact order."""

from __future__ import annotations

import math
import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.vectors import Vector, quantised
from context_memory.domain.recall.nearest import FEWEST, SHORTLIST, Vectors, by_meaning

DIMENSIONS = 384


def alike(seed: int, count: int) -> list[Vector]:
    """Vectors as embedding models make them: around twenty subjects, and all of them around one direction."""
    dice = random.Random(seed)
    common = [dice.gauss(0, 1) for _ in range(DIMENSIONS)]
    subjects = [[value + dice.gauss(0, 0.5) for value in common] for _ in range(20)]
    return [
        quantised("e5", [value + dice.gauss(0, 0.3) for value in subjects[at % len(subjects)]]) for at in range(count)
    ]


def exactly(vectors: list[Vector], asked: Vector) -> list[int]:
    """Places by the cosine at the mean, in floats and without any shortcut."""
    rows = [list(vector.components) for vector in vectors]
    mean = [sum(column) / (len(rows) + 4) for column in zip(*rows, strict=True)]

    def direction(values: list[int]) -> list[float]:
        difference = [value - middle for value, middle in zip(values, mean, strict=True)]
        return [value / math.hypot(*difference) for value in difference]

    query = direction(list(asked.components))
    cosines = [math.sumprod(query, direction(row)) for row in rows]
    return sorted(range(len(rows)), key=lambda place: -cosines[place])


def searched(scopes: list[list[Vector]], asked: Vector, limit: int) -> list[tuple[int, float]]:
    firsts = accumulate(map(len, scopes[:-1]), initial=0)
    known = [Vectors(enumerate(vectors), DIMENSIONS) for vectors in scopes]
    return [*by_meaning([*zip(firsts, known, strict=False)], asked, limit)]  # `firsts` has one where there is no scope


@pytest.mark.parametrize("seed", range(4))
def test_the_shortlist_holds_nearly_all_that_is_nearest(seed: int) -> None:
    *vectors, asked = alike(seed, 801)
    found = [place for place, _ in searched([vectors], asked, 16)]
    assert len(set(found) & set(exactly(vectors, asked)[:16])) >= 14


@pytest.mark.parametrize("seed", range(4))
def test_it_does_so_where_scopes_that_differ_are_searched_together(seed: int) -> None:
    """Those of one subject are in one scope: each scope has a mean of its own."""
    *vectors, asked = alike(seed, 801)
    scopes = [vectors[:100], vectors[100:]]
    for scope in scopes:
        scope.sort(key=lambda vector: vector.components[0])
    found = [place for place, _ in searched(scopes, asked, 16)]
    assert len(set(found) & set(exactly(scopes[0] + scopes[1], asked)[:16])) >= 13


def test_few_vectors_are_all_compared_and_stand_in_the_exact_order() -> None:
    *vectors, asked = alike(7, SHORTLIST + 1)
    found = [place for place, _ in searched([vectors], asked, 10)]
    assert found == exactly(vectors, asked)[:10]


def test_few_vectors_of_several_scopes_have_the_cosines_that_they_would_have_in_one() -> None:
    *vectors, asked = alike(8, FEWEST + 1)
    several = [vectors[:5], [], vectors[5:]]
    assert searched(several, asked, 10) == searched([vectors], asked, 10)


def test_where_there_is_nothing_nothing_is_found() -> None:
    [asked] = alike(8, 1)
    assert searched([], asked, 5) == searched([[]], asked, 5) == searched([[], []], asked, 5) == []


def test_a_search_gives_the_same_a_second_time() -> None:
    *vectors, asked = alike(9, 700)
    known = Vectors(enumerate(vectors), DIMENSIONS)
    assert by_meaning([(0, known)], asked, 32) == by_meaning([(0, known)], asked, 32)


@given(st.lists(st.lists(st.integers(-127, 127), min_size=6, max_size=6), max_size=80), st.data())
def test_cosines_fall_and_are_above_0(rows: list[list[int]], data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(-127, 127), min_size=6, max_size=6))
    vectors = [Vector("e5", bytes(value % 256 for value in row)) for row in [*rows, asked]]
    found = by_meaning([(0, Vectors(enumerate(vectors[:-1]), 6))], vectors[-1], 20)
    cosines = [cosine for _, cosine in found]
    assert cosines == sorted(cosines, reverse=True)
    assert all(0 < cosine <= 1 for cosine in cosines)
    assert len(found) <= 20
