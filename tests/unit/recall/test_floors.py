"""What no word leads to is found where it is near, and not because something is always nearest."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.snapshot_files import Snapshot, write_snapshot
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.recall.floors import NONE, Floors
from context_memory.domain.recall.match import Query
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, a_fact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.match import Match

DICE = random.Random(22)
DIMENSIONS = 1536


def direction() -> list[float]:
    return [DICE.gauss(0, 1) for _ in range(DIMENSIONS)]


ALIKE, ASKED, ELSEWHERE = direction(), direction(), direction()
"""What all vectors of a model have in common, what is asked about, and another subject."""


def vector(nearness: float, subject: Sequence[float] = ASKED) -> Vector:
    """Of a text that is about a subject to that degree, and otherwise about something of its own."""
    own = direction()
    rest = (1 - nearness**2) ** 0.5
    parts = zip(ALIKE, subject, own, strict=True)
    return quantised("e5", [2 * common + nearness * about + rest * other for common, about, other in parts])


OTHERS = [a_fact(f"Matter number {at}", COMPANY, vector=vector(0)) for at in range(60)]

type Search = Callable[[Sequence[Fact], Query, Floors], Sequence[Match]]


@pytest.fixture(params=["memory", "snapshot"])
def search(request: pytest.FixtureRequest, tmp_path: Path) -> Search:
    DICE.seed(23)  # each test has the same vectors, whichever others run, and others than those above

    def in_memory(facts: Sequence[Fact], query: Query, floors: Floors) -> Sequence[Match]:
        return InMemoryIndex([IndexedScope(COMPANY, 1, facts)], floors=floors).search(query)

    def in_snapshot(facts: Sequence[Fact], query: Query, floors: Floors) -> Sequence[Match]:
        write_snapshot(tmp_path / "facts.sqlite", facts)
        return Snapshot(tmp_path / "facts.sqlite", COMPANY, floors).search(query)

    return in_memory if request.param == "memory" else in_snapshot


def test_of_facts_about_something_else_none_is_found(search: Search) -> None:
    query = Query(text="asdfgh", vector=vector(1, ELSEWHERE))
    assert search(OTHERS, query, Floors()) == []


def test_without_a_floor_something_is_always_found(search: Search) -> None:
    query = Query(text="asdfgh", vector=vector(1, ELSEWHERE))
    assert len(search(OTHERS, query, NONE)) > 12


def test_what_is_near_is_found_alone(search: Search) -> None:
    near = a_fact("Has a spaniel", COMPANY, vector=vector(0.6))
    [match] = search([*OTHERS, near], Query(text="pet", vector=vector(0.9)), Floors())
    assert (match.fact, match.why) == (near, ("meaning",))


def test_what_holds_a_word_is_found_however_far_it_is(search: Search) -> None:
    far = a_fact("Keeps no pet", COMPANY, vector=vector(0))
    assert [match.fact for match in search([*OTHERS, far], Query(text="pet", vector=vector(0.9)), Floors())] == [far]


@pytest.mark.parametrize(("nearness", "found"), [(0.28, ["contextual"]), (0.9, ["archival", "contextual"])])
def test_an_archival_fact_has_to_be_nearer(search: Search, nearness: float, found: list[str]) -> None:
    facts = [
        a_fact(f"Has a {animal}", COMPANY, tier=tier, vector=vector(nearness))
        for animal, tier in (("spaniel", Tier.ARCHIVAL), ("poodle", Tier.CONTEXTUAL))
    ]
    matches = search([*OTHERS, *facts], Query(text="pet", vector=vector(1)), Floors())
    assert sorted(match.fact.tier for match in matches) == found
