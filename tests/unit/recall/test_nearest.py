"""The nearest vectors: a shortlist by signs, then nearly the exact order."""

from __future__ import annotations

import math
import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.vectors import Vector, quantised
from context_memory.domain.recall.nearest import SHORTLIST, Vectors, by_meaning

DIMENSIONS = 384
OFF = 0.1
"""Four times what coding usually costs: of one subject the facts are hardly told apart, of others they are."""


def alike(seed: int, count: int) -> list[Vector]:
    """Vectors as embedding models make them: around twenty subjects, and all of them around one direction."""
    dice = random.Random(seed)
    common = [dice.gauss(0, 1) for _ in range(DIMENSIONS)]
    subjects = [[value + dice.gauss(0, 0.5) for value in common] for _ in range(20)]
    return [
        quantised("e5", [value + dice.gauss(0, 0.3) for value in subjects[at % len(subjects)]]) for at in range(count)
    ]


def cosines(vectors: list[Vector], asked: Vector) -> list[float]:
    """At the mean, in floats and without any shortcut."""
    rows = [list(vector.components) for vector in vectors]
    mean = [sum(column) / (len(rows) + 4) for column in zip(*rows, strict=True)]

    def direction(values: list[int]) -> list[float]:
        difference = [value - middle for value, middle in zip(values, mean, strict=True)]
        return [value / math.hypot(*difference) for value in difference]

    query = direction(list(asked.components))
    return [math.sumprod(query, direction(row)) for row in rows]


def exactly(vectors: list[Vector], asked: Vector) -> list[int]:
    """Places, the nearest first."""
    known = cosines(vectors, asked)
    return sorted(range(len(vectors)), key=lambda place: -known[place])


def searched(scopes: list[list[Vector]], asked: Vector, limit: int) -> list[tuple[int, float]]:
    firsts = accumulate(map(len, scopes[:-1]), initial=0)
    known = [Vectors(enumerate(vectors), DIMENSIONS) for vectors in scopes]
    return [*by_meaning([*zip(firsts, known, strict=False)], asked, limit)]  # `firsts` has one where there is no scope


@pytest.mark.parametrize("seed", range(4))
def test_the_shortlist_holds_nearly_all_that_is_nearest(seed: int) -> None:
    *vectors, asked = alike(seed, 801)
    found = [place for place, _ in searched([vectors], asked, 16)]
    assert len(set(found) & set(exactly(vectors, asked)[:16])) >= 11


@pytest.mark.parametrize("seed", range(4))
def test_it_does_so_where_scopes_that_differ_are_searched_together(seed: int) -> None:
    """Those of one subject are in one scope: each scope has a mean of its own."""
    *vectors, asked = alike(seed, 801)
    scopes = [vectors[:100], vectors[100:]]
    for scope in scopes:
        scope.sort(key=lambda vector: vector.components[0])
    found = [place for place, _ in searched(scopes, asked, 16)]
    assert len(set(found) & set(exactly(scopes[0] + scopes[1], asked)[:16])) >= 11


@pytest.mark.parametrize("cuts", [(0, 0), (5, 5), (10, 30)], ids=["one scope", "two", "three"])
@pytest.mark.parametrize("seed", range(4))
def test_cosines_are_off_by_a_few_hundredths_however_many_scopes_there_are(seed: int, cuts: tuple[int, int]) -> None:
    *vectors, asked = alike(seed, SHORTLIST + 1)
    first, second = cuts
    found = searched([vectors[:first], vectors[first:second], vectors[second:]], asked, SHORTLIST)
    exact = cosines(vectors, asked)
    assert len(found) >= sum(cosine > OFF for cosine in exact)
    assert [cosine for _, cosine in found] == pytest.approx([exact[place] for place, _ in found], abs=OFF)


def test_what_is_asked_for_itself_is_nearest() -> None:
    vectors = alike(8, 300)
    for place in (0, 150, 299):
        assert searched([vectors[:100], vectors[100:]], vectors[place], 1)[0][0] == place


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
