"""Which facts are old, and which of them a model is shown together."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.facts.compacting.ageing import Old
from context_memory.domain.facts.compacting.grouping import LARGEST_GROUP, groups
from context_memory.domain.facts.fact import Compaction, Source, Tier
from context_memory.domain.facts.vectors import between, cosine, quantised
from tests.support.facts import NOON, a_fact

if TYPE_CHECKING:
    from context_memory.domain.facts.vectors import Vector

DAY = timedelta(days=1)
OLD = Old(now=NOON + 90 * DAY, age=90 * DAY)
JOGS, RUNS, TEA = a_fact("Goes jogging along the river"), a_fact("Likes jogging along the lake"), a_fact("Drinks tea")


def anywhere(_space_id: str | None) -> bool:
    return True


def test_only_what_was_not_stated_for_so_long_is_old_the_oldest_first() -> None:
    younger = a_fact("Reads", last_confirmed_at=NOON + DAY)
    older = a_fact("Swims", last_confirmed_at=NOON - DAY)
    assert OLD.mergeable([younger, JOGS, older], anywhere) == [older, JOGS]


def test_core_facts_and_days_without_a_year_are_never_merged() -> None:
    assert OLD.mergeable([a_fact("Is a nurse", tier=Tier.CORE), a_fact("Moves on 5 May")], anywhere) == []


def test_a_merged_fact_is_left_alone_as_long_as_it_can_be_parted() -> None:
    compaction = Compaction(at=NOON + 61 * DAY, origins=(), originals=(JOGS, RUNS))
    merged = a_fact("Jogs", compaction=compaction)
    assert OLD.mergeable([merged], anywhere) == []
    assert Old(now=NOON + 91 * DAY, age=90 * DAY).mergeable([merged], anywhere) == [merged]


def test_facts_of_a_space_that_lets_none_be_merged_stay() -> None:
    here, there = a_fact("Swims", source=Source(space_id="s1")), a_fact("Reads", source=Source(space_id="s2"))
    assert OLD.mergeable([here, there, JOGS], lambda space_id: space_id != "s1") == sorted(
        [there, JOGS], key=lambda fact: fact.id
    )


def test_a_fact_is_new_among_the_old_for_a_while() -> None:
    lately = Old(now=NOON + 104 * DAY, age=90 * DAY, within=14 * DAY)
    assert lately.is_new(JOGS)
    assert not lately.is_new(a_fact("Swims", last_confirmed_at=NOON - DAY))
    assert OLD.is_new(a_fact("Swims", last_confirmed_at=NOON - 999 * DAY))


def test_facts_that_share_words_are_a_group_and_others_are_none() -> None:
    assert groups([JOGS, TEA, RUNS]) == [(JOGS, RUNS)]


def test_facts_of_another_tier_space_or_channel_are_never_shown_together() -> None:
    for other in (
        a_fact(RUNS.text, tier=Tier.ARCHIVAL),
        a_fact(RUNS.text, source=Source(space_id="s1")),
        a_fact(RUNS.text, source=Source(provider="slack:u1")),
    ):
        assert groups([JOGS, other]) == []


def test_vectors_that_point_alike_make_a_group_where_words_do_not() -> None:
    one = a_fact("Trains for a marathon", vector=quantised("m", [1.0, 0.1]))
    other = a_fact("Jogs each morning", vector=quantised("m", [1.0, 0.2]))
    assert groups([one, other]) == [(one, other)]
    assert groups([one, a_fact("Jogs each morning", vector=quantised("m", [0.1, 1.0]))]) == []
    assert groups([one, a_fact("Jogs each morning", vector=quantised("another", [1.0, 0.2]))]) == []


def test_a_group_has_a_size_that_one_call_can_be_about() -> None:
    many = [a_fact(f"Jogging along the river with {name}") for name in map(chr, range(65, 65 + 26))]
    sizes = [len(group) for group in groups(many)]
    assert max(sizes) == LARGEST_GROUP
    assert sum(sizes) == len(many)


def test_a_merged_fact_points_between_those_that_it_stands_for() -> None:
    east, north = quantised("m", [5.0, 0.0]), quantised("m", [0.0, 1.0])
    middle = between([east, north])
    assert middle is not None
    assert middle.model == "m"
    assert cosine(middle, east) == pytest.approx(cosine(middle, north), abs=0.01)


@pytest.mark.parametrize(
    "vectors",
    [(), (None,), (quantised("m", [1.0]), None), (quantised("m", [1.0]), quantised("n", [1.0]))],
    ids=["no facts", "none", "one is missing", "another model"],
)
def test_vectors_that_cannot_be_compared_have_no_middle(vectors: tuple[Vector | None, ...]) -> None:
    assert between(vectors) is None
