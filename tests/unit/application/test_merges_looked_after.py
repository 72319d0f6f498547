"""A merge can be undone for 30 days; what could not come back any more is not kept so long."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.jobs import JobKind
from context_memory.domain.merging import MergeStatus
from tests.support.forgetting import forgetting_in
from tests.support.merged import NEW, OLD, Died, Merged, dies_at

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey

TEXTS = ("Likes tea.", "Has a cat.", "Lives in Basel.")


def merged_already(*, at_once: int = 45) -> Merged:
    merged = Merged(at_once=at_once)
    merged.know(OLD, *TEXTS)
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    return merged


def kept(merged: Merged) -> set[str]:
    return {fact.text for fact in merged.world.moves.moved(OLD, merged.merge_id, 0)}


def stands(merged: Merged) -> bool:
    return merged.world.merges.merge("acme", merged.merge_id) is not None


def test_what_the_new_user_has_is_kept_for_the_way_back() -> None:
    merged = merged_already()
    for _ in range(3):
        merged.a_day_later()
    assert kept(merged) == set(TEXTS)
    merged.undo()
    assert merged.work() is MergeStatus.UNDONE
    assert set(merged.facts(OLD)) == set(TEXTS)


def test_what_the_new_user_has_deleted_is_in_neither_memory() -> None:
    merged = merged_already(at_once=1)
    merged.drop(NEW, "Likes tea.")
    merged.drop(NEW, "Has a cat.")
    merged.a_day_later()
    assert kept(merged) == {"Lives in Basel."}


def test_what_is_deleted_on_a_later_day_goes_too() -> None:
    merged = merged_already()
    merged.a_day_later()
    merged.drop(NEW, "Likes tea.")
    merged.a_day_later()
    assert kept(merged) == {"Has a cat.", "Lives in Basel."}


def test_what_the_old_user_has_asked_to_forget_is_kept_no_more() -> None:
    merged = merged_already()
    world = merged.world
    forgetting = forgetting_in(world)
    said_at = world.clock.now() + timedelta(seconds=1)
    forgetting.remember(OLD, 0, ["Likes tea."], said_at)
    merged.a_day_later()
    assert kept(merged) == {"Has a cat.", "Lives in Basel."}
    assert "Likes tea." in merged.facts(NEW)


@pytest.mark.parametrize("erased", [OLD, NEW], ids=["old", "new"])
def test_nothing_is_kept_of_a_merge_once_one_of_both_is_erased(erased: UserKey) -> None:
    merged = merged_already(at_once=2)
    merged.erase(erased)
    merged.a_day_later()
    assert (kept(merged), stands(merged)) == (set(), False)
    due = merged.world.agenda.due("acme", merged.world.clock.now().date() + timedelta(days=40))
    assert JobKind.MERGE not in {entry.kind for entry in due}


def test_wherever_the_process_dies_the_next_round_lets_go_of_the_rest() -> None:
    deaths = 0
    for number in range(1, 200):
        merged = merged_already(at_once=1)
        merged.erase(NEW)
        merged.world.whenever(dies_at(number))
        try:
            merged.a_day_later()
        except Died:
            deaths += 1
            merged.world.whenever(lambda _: None)
            merged.a_day_later()
        merged.world.whenever(lambda _: None)
        assert (kept(merged), stands(merged)) == (set(), False)
        if deaths < number:
            break
    assert deaths > 10


def test_a_fact_that_is_deleted_in_the_moment_of_the_round_goes_with_the_next() -> None:
    merged = merged_already()
    merged.drop(NEW, "Likes tea.")

    def drop(step: str) -> None:
        if step == "before:table.move":
            merged.world.whenever(lambda _: None)
            merged.drop(NEW, "Has a cat.")
            merged.know(OLD, "Plays chess.", provider=None)

    merged.world.whenever(drop)
    merged.a_day_later()
    merged.a_day_later()
    assert kept(merged) == {"Lives in Basel."}
    assert "Plays chess." in merged.facts(OLD)
