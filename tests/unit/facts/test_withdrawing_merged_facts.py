"""A message that is edited withdraws its part of a merged fact; what was stated again since rests on more than it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.facts.compacting.parting import without_originals
from context_memory.domain.facts.fact import Compaction, Origin, Past, Source
from context_memory.domain.facts.history import in_place_of
from context_memory.domain.facts.unlearning import unlearn_facts
from context_memory.domain.facts.withdrawing import withdraw
from tests.support.facts import NOON, a_fact

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact

HOUR = timedelta(hours=1)


def learned(text: str, turn: str, *, first: int, last: int | None = None, **more: Any) -> Fact:  # noqa: ANN401 - whatever a fact has
    """A fact that a turn taught, so many hours after noon, and that was stated again then."""
    at, again = NOON + first * HOUR, NOON + (first if last is None else last) * HOUR
    return a_fact(text, source=Source(turn), created_at=at, last_confirmed_at=again, **more)


def merged(*facts: Fact, last: int = 0) -> Fact:
    """The fact that these were merged into a day after noon."""
    return a_fact(
        ", ".join(fact.text for fact in facts),
        created_at=min(fact.created_at for fact in facts),
        last_confirmed_at=max([*(fact.last_confirmed_at for fact in facts), NOON + last * HOUR]),
        compaction=Compaction(
            at=NOON + 24 * HOUR,
            origins=tuple(Origin(fact.id, fact.source, fact.created_at) for fact in facts),
            originals=facts,
        ),
    )


TEA, COFFEE = learned("Drinks tea", "t1", first=0), learned("drinks coffee", "t2", first=5)
T1 = frozenset({"t1"})


def left(fact: Fact, turns: frozenset[str] = T1) -> list[str]:
    return sorted(one.text for one in withdraw([fact], turns, len).applied_to([fact]))


def test_its_part_goes_and_the_others_stand_again() -> None:
    assert left(merged(TEA, COFFEE)) == [COFFEE.text]
    assert left(merged(TEA, COFFEE), frozenset({"t2"})) == [TEA.text]
    assert left(merged(TEA, COFFEE), frozenset({"t1", "t2"})) == []


def test_a_part_that_was_stated_again_before_the_merge_leaves_it_as_it_is() -> None:
    fact = merged(learned("Drinks tea", "t1", first=0, last=3), COFFEE)
    assert left(fact) == [fact.text]


def test_of_two_parts_of_one_turn_the_one_that_was_never_stated_again_goes() -> None:
    again, once = learned("Drinks tea", "t1", first=0, last=3), learned("drinks mate", "t1", first=0)
    assert left(merged(again, once, COFFEE)) == sorted([again.text, COFFEE.text])


def test_a_merged_fact_that_was_stated_again_as_a_whole_stays() -> None:
    fact = merged(TEA, COFFEE, last=48)
    assert left(fact) == [fact.text]


@pytest.mark.parametrize(("last", "stays"), [(5, False), (48, True)])
def test_what_cannot_be_parted_any_more_goes_whole_unless_it_was_stated_since_the_merge(
    last: int, *, stays: bool
) -> None:
    (final,) = without_originals([merged(TEA, COFFEE, last=last)])
    assert left(final) == ([final.text] if stays else [])


def test_another_message_leaves_it_alone() -> None:
    fact = merged(TEA, COFFEE)
    assert left(fact, frozenset({"t3"})) == [fact.text]


def test_what_an_unlearned_turn_taught_leaves_the_history_of_the_parts_as_well() -> None:
    past = Past("a" * 20, "Drinks water", NOON + 5 * HOUR, source=Source("t0"), created_at=NOON - HOUR)
    fact = merged(TEA, replace(COFFEE, supersedes=(past,)))
    (put,) = unlearn_facts([fact], Condemnation(turn_ids=frozenset({"t0"})), len).puts
    assert put.compaction is not None
    assert [one.supersedes for one in put.compaction.originals] == [(), ()]
    parted_later = unlearn_facts([put], Condemnation(turn_ids=frozenset({"t2"})), len).applied_to([put])
    assert [one.text for one in parted_later] == [TEA.text]


def test_a_merged_fact_that_was_replaced_comes_back_only_if_nothing_of_it_was_unlearned() -> None:
    water = in_place_of(learned("Drinks water", "t3", first=40), merged(TEA, COFFEE), NOON + 40 * HOUR)
    (back,) = unlearn_facts([water], Condemnation(turn_ids=frozenset({"t3"})), len).applied_to([water])
    assert back.text == merged(TEA, COFFEE).text
    assert unlearn_facts([back], Condemnation(turn_ids=T1), len).applied_to([back]) == ()
    (without,) = unlearn_facts([water], Condemnation(turn_ids=T1), len).applied_to([water])
    assert (without.text, without.supersedes) == ("Drinks water", ())
