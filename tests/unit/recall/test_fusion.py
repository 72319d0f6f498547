"""One order out of two legs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.recall.fusion import Fused, followed, fused

LEG = st.dictionaries(st.integers(0, 40), st.floats(0.01, 50), max_size=40).map(
    lambda scores: sorted(scores.items(), key=lambda find: -find[1])
)


def test_what_both_legs_hold_for_good_comes_before_what_one_holds_for_best() -> None:
    keywords = [(1, 10.0), (2, 9.0), (3, 1.0)]
    meaning = [(4, 0.9), (2, 0.8), (5, 0.1)]
    assert [find.place for find in fused({"keywords": keywords, "meaning": meaning})][:1] == [2]


def test_what_is_first_in_one_leg_comes_before_what_is_far_down_in_both() -> None:
    """Reciprocal ranks over deep lists say otherwise."""
    keywords = [(place, 60.0 - place) for place in range(60)]
    meaning = [(100 + place, 0.9 - place / 100) for place in range(49)] + [(49, 0.4)]
    order = [find.place for find in fused({"keywords": keywords, "meaning": meaning})]
    assert order.index(0) < 2
    assert order.index(100) < 2
    assert 49 not in order[:20]


def test_a_leg_without_finds_has_no_say() -> None:
    assert fused({"keywords": [(7, 3.0)], "meaning": []}) == [Fused(7, 1.0, ("keywords",))]


def test_finds_with_one_score_are_all_its_best() -> None:
    assert [find.score for find in fused({"meaning": [(1, 0.5), (2, 0.5)]}, depth=1)] == [1.0]
    assert [find.score for find in fused({"meaning": [(1, 0.5), (2, 0.5), (3, 0.5)]}, depth=2)] == [1.0, 1.0]


def test_the_last_find_of_a_short_leg_still_counts() -> None:
    assert [find.score for find in fused({"keywords": [(1, 4.0), (2, 1.0)]})] == [1.0, pytest.approx(0.25)]


@given(LEG, LEG, st.integers(1, 40))
def test_what_came_too_late_to_have_a_say_follows_in_its_order_below_all_others(
    one: list[tuple[int, float]], two: list[tuple[int, float]], depth: int
) -> None:
    found = fused({"keywords": one, "meaning": two}, depth)
    told = followed(found, "keywords", one)
    assert told[: len(found)] == found
    late = told[len(found) :]
    assert [find.place for find in late] == [place for place, _ in one if place not in {find.place for find in found}]
    scores = [find.score for find in told]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= find.score <= 1 and find.legs == ("keywords",) for find in late)


@given(LEG, LEG, st.integers(1, 40))
def test_scores_lie_between_0_and_1_and_fall(
    one: list[tuple[int, float]], two: list[tuple[int, float]], depth: int
) -> None:
    found = fused({"keywords": one, "meaning": two}, depth)
    scores = [find.score for find in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert {find.place for find in found} == {place for leg in (one, two) for place, _ in leg[:depth]}
