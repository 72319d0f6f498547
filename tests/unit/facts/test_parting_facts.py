"""Taking a merge back, and what of it is gone for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.facts.compacting.ageing import UNDONE_WITHIN, outlived
from context_memory.domain.facts.compacting.parting import parted, without_originals
from context_memory.domain.facts.fact import Compaction, Fact, Origin, Source, fact_id, moved_to
from context_memory.domain.facts.history import says, texts_behind, without_past
from context_memory.domain.facts.rewriting import without_denied_facts
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.unlearning import unlearn_facts
from context_memory.domain.ids import UserKey
from context_memory.domain.merging import is_remembered
from tests.support.facts import LENA, NOON, a_fact

SECOND = timedelta(seconds=1)
TEA = a_fact("Drinks tea", source=Source("t1", "c1"), uses=1)
COFFEE = a_fact("Drinks coffee", source=Source("t2", "c1"))
MERGED = a_fact(
    "Drinks tea, coffee",
    uses=1,
    compaction=Compaction(
        at=NOON,
        origins=tuple(Origin(fact.id, fact.source, fact.created_at) for fact in (TEA, COFFEE)),
        originals=(TEA, COFFEE),
    ),
)
FINAL = without_originals([MERGED])[0]


def never(_text: str) -> bool:
    return False


def texts(facts: tuple[Fact, ...]) -> list[str]:
    return [fact.text for fact in facts]


def test_the_facts_stand_as_they_were_and_the_merged_one_goes() -> None:
    apart = parted(MERGED, {MERGED.id: MERGED}, never, NOON)
    assert apart is not None
    assert (apart.puts, apart.drops) == ((TEA, COFFEE), frozenset({MERGED.id}))


def test_what_was_stated_or_cited_of_the_merged_one_counts_for_all() -> None:
    later = replace(MERGED, last_confirmed_at=NOON + SECOND, uses=4)
    apart = parted(later, {MERGED.id: later}, never, NOON)
    assert apart is not None
    assert {(fact.last_confirmed_at, fact.uses) for fact in apart.puts} == {(NOON + SECOND, 4), (NOON + SECOND, 3)}


def test_after_thirty_days_there_is_nothing_to_part() -> None:
    assert parted(MERGED, {}, never, NOON + UNDONE_WITHIN - SECOND) is not None
    assert parted(MERGED, {}, never, NOON + UNDONE_WITHIN) is None
    assert outlived([MERGED, TEA], NOON + UNDONE_WITHIN) == [MERGED]
    assert outlived([MERGED, FINAL], NOON) == []
    assert (FINAL.compaction and FINAL.compaction.originals, texts_behind(FINAL)) == ((), [MERGED.text])


def test_what_is_no_merged_fact_cannot_be_parted() -> None:
    assert parted(TEA, {}, never, NOON) is None


def test_what_was_forgotten_does_not_come_back() -> None:
    apart = parted(MERGED, {MERGED.id: MERGED}, lambda text: text == TEA.text, NOON)
    assert apart is not None
    assert texts(apart.puts) == [COFFEE.text]


def test_what_stands_anew_stays_as_it_is() -> None:
    anew = replace(TEA, uses=9)
    apart = parted(MERGED, {MERGED.id: MERGED, TEA.id: anew}, never, NOON)
    assert apart is not None
    assert texts(apart.puts) == [COFFEE.text]


def test_a_merged_fact_that_has_the_id_of_one_that_it_stands_for_is_replaced_and_not_dropped() -> None:
    assert MERGED.compaction is not None
    merged = replace(TEA, compaction=MERGED.compaction)
    apart = parted(merged, {merged.id: merged}, never, NOON)
    assert apart is not None
    assert (apart.puts, apart.drops) == ((TEA, COFFEE), frozenset())


def test_what_is_deleted_leaves_merged_facts_as_well() -> None:
    (without,) = without_past([MERGED], says("drinks TEA."))
    assert texts_behind(without) == [MERGED.text, COFFEE.text]
    assert without_past([MERGED], says("Drinks water")) == []


def test_what_was_learned_from_a_bad_turn_goes_out_of_a_merged_fact_and_the_rest_stands_again() -> None:
    unlearned = unlearn_facts([MERGED], Condemnation(turn_ids=frozenset({"t1"})), len)
    assert (unlearned.puts, unlearned.drops, unlearned.restored) == ((COFFEE,), frozenset({MERGED.id}), frozenset())


def test_a_merged_fact_that_cannot_be_parted_any_more_goes_whole() -> None:
    unlearned = unlearn_facts([FINAL], Condemnation(turn_ids=frozenset({"t1"})), len)
    assert (unlearned.puts, unlearned.drops) == ((), frozenset({MERGED.id}))


@pytest.mark.parametrize("fact", [MERGED, FINAL])
def test_unlearning_another_turn_leaves_a_merged_fact_alone(fact: Fact) -> None:
    unlearned = unlearn_facts([fact], Condemnation(turn_ids=frozenset({"t3"})), len)
    assert (unlearned.puts, unlearned.drops) == ((), frozenset())


def test_what_the_user_denies_goes_out_of_a_merged_fact_and_the_rest_stands_again() -> None:
    rewrite = without_denied_facts([MERGED], ("tea",))
    assert (rewrite.puts, rewrite.drops) == ((COFFEE,), frozenset({MERGED.id}))
    only_behind = replace(MERGED, id=fact_id(LENA, "Drinks"), text="Drinks")
    (without,) = without_denied_facts([only_behind], ("tea",)).puts
    assert texts_behind(without) == ["Drinks", COFFEE.text]


def test_a_fact_that_moves_to_another_user_takes_what_it_stands_for_along() -> None:
    there = UserScope(UserKey("acme", "bob"))
    moved = moved_to(there, MERGED)
    assert moved.compaction is not None
    assert moved.id == fact_id(there, MERGED.text)
    assert [one.id for one in moved.compaction.originals] == [fact_id(there, TEA.text), fact_id(there, COFFEE.text)]


@pytest.mark.parametrize("fact", [MERGED, FINAL])
def test_what_was_merged_into_another_fact_is_remembered(fact: Fact) -> None:
    assert is_remembered(TEA.id, [fact])
    assert not is_remembered("0" * 20, [fact])
