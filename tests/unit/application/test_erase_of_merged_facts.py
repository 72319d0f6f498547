"""Facts that were merged into a user's go with that user, also where their first owner keeps them for the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.merging import AT_REST, MergeStatus
from context_memory.ports.facts import MOST_CHANGES
from tests.support.eraser import SETTLING, Eraser
from tests.support.links import merging_of
from tests.support.merged import NEW, OLD, Merged

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = ("Likes tea.", "Has a cat.", "Lives in Basel.")


def merged_already() -> Merged:
    merged = Merged()
    merged.know(OLD, *TEXTS)
    merged.know(OLD, "Plays chess.", provider=None)
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    return merged


def kept(merged: Merged) -> set[str]:
    """What the first owner has of it, in whatever epoch."""
    with merged.world.table.opened(OLD, "look") as items:
        return {fact.text for fact in items.moved.values()}


def test_what_is_kept_for_the_way_back_is_gone_before_any_receipt_says_so() -> None:
    merged = merged_already()
    eraser = Eraser(merged.world)
    receipt = eraser.erase(NEW)
    assert receipt["status"] == "provisional"
    assert kept(merged) == set()
    eraser.work()
    counts = eraser.receipt(NEW)["counts"]["items"]
    assert (counts["merges"], counts["facts"]) == (1, 3)
    assert set(merged.facts(OLD)) == {"Plays chess."}


def test_an_erase_of_the_first_owner_leaves_what_has_become_the_others() -> None:
    merged = merged_already()
    eraser = Eraser(merged.world)
    eraser.erase(OLD)
    eraser.work()
    assert kept(merged) == set()
    assert set(merged.facts(NEW)) == set(TEXTS)
    assert "merges" not in eraser.receipt(OLD)["counts"]["items"]


def test_merges_of_others_are_let_alone() -> None:
    merged = merged_already()
    eraser = Eraser(merged.world)
    other = type(NEW)("acme", "lena#")
    eraser.erase(other)
    eraser.work()
    assert kept(merged) == set(TEXTS)
    assert "merges" not in eraser.receipt(other)["counts"]["items"]


def moments() -> Iterator[int]:
    """Between any two things that a merge does with users' items and with its own."""
    seen: list[str] = []
    merged = Merged(at_once=1)
    merged.know(OLD, *TEXTS)
    merged.ask()
    merged.world.whenever(seen.append)
    merged.work()
    yield from (number for number, step in enumerate(seen) if step.startswith(("before:table.m", "before:merges.m")))


@pytest.mark.parametrize("moment", list(moments()))
@pytest.mark.parametrize("late", [False, True], ids=["dies", "goes on"])
def test_a_merge_that_runs_meanwhile_loses_nothing_and_leaves_nothing(moment: int, *, late: bool) -> None:
    """The first owner has all of it, or it was the other's by then and is gone with them; nobody keeps it aside."""
    merged = Merged(at_once=1)
    merged.know(OLD, *TEXTS)
    merged.ask()
    eraser = Eraser(merged.world)
    taken = iter(range(10_000))

    def erase(_: str) -> None:
        if next(taken) == moment:
            merged.world.whenever(lambda _: None)
            eraser.erase(NEW)
            if not late:
                raise Ended

    merged.world.whenever(erase)
    try:
        merged.work()
    except Ended:
        merged.world.whenever(lambda _: None)
    merged.world.clock.advance(SETTLING.total_seconds())
    eraser.work()
    assert kept(merged) == set()
    assert merged.merge.status in AT_REST
    left = set(merged.facts(OLD))
    assert left == (set() if merged.merge.status is MergeStatus.MERGED else set(TEXTS))
    assert merged.facts(NEW) == {}


class Ended(Exception):
    """The process ends here."""


def test_more_than_one_write_holds_goes_as_well() -> None:
    merged = Merged(cap=2000)
    texts = [f"Has seen the film number {number}." for number in range(2 * MOST_CHANGES)]
    merged.know(OLD, *texts[:MOST_CHANGES])
    merged.know(OLD, *texts[MOST_CHANGES:])
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    eraser = Eraser(merged.world)
    eraser.erase(NEW)
    assert kept(merged) == set()


def test_what_was_taken_by_a_worker_that_came_too_late_goes_back_with_the_daily_round() -> None:
    merged = Merged()
    merged.know(OLD, *TEXTS)
    merged.ask()
    work = merging_of(merged.world)
    source = work.sides.side(OLD, 0)
    merge = work._begun(merged.merge)  # noqa: SLF001 - a worker that has read the merge as it began
    assert merged.world.merges.move(merged.merge, merge)
    merged.erase(NEW)
    assert merged.work() is MergeStatus.DROPPED
    late = source.facts.facts
    assert work.sides.write(merge, source, drops=[fact.id for fact in late], keeps=late)
    assert merged.facts(OLD) == {}
    merged.a_day_later()
    assert set(merged.facts(OLD)) == set(TEXTS)
    assert kept(merged) == set()
