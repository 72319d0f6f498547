"""A process can die anywhere while it merges a user's old facts: the next walk goes on and merges each once."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import ContextMemoryError, StoreUnavailable
from context_memory.domain.walks import Walk, WalkKind, WalkStatus
from tests.support.archive import Archive, merging
from tests.support.house import LENA, House
from tests.support.kept_facts import stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.facts.fact import Fact
    from tests.support.scripted_model import Asked

TRAVELS = ("Visited Prague on 3 May 2024", "Visited Vienna on 9 June 2024")
BOATS = ("Paddles a red canoe", "Paddles a red kayak")
MERGED = {"Visited Prague on 3 May 2024, Vienna on 9 June 2024", "Paddles a red canoe, kayak"}


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def merges(asked: Asked) -> str:
    """As a model would, whichever of the two groups it is shown."""
    travels, boats = sorted(MERGED, reverse=True)
    return merging(([1, 2], travels if "Prague" in asked.said_by("user") else boats))


def old(house: House) -> Archive:
    """Four old facts that can become two."""
    archive = Archive(house)
    archive.old(*TRAVELS, *BOATS)
    house.model.script("compact", merges)
    return archive


def meet(archive: Archive) -> None:
    """What a walk does for the user."""
    now = archive.world.clock.now()
    walk = Walk(
        company_id="acme",
        job_id="w",
        kind=WalkKind.COMPACT,
        status=WalkStatus.RUNNING,
        dry_run=False,
        asked_by="x",
        asked_at=now,
    )
    archive.step(LENA, walk)


def steps() -> list[tuple[int, str]]:
    seen: list[str] = []
    with House() as house:
        archive = old(house)
        archive.world.whenever(seen.append)
        meet(archive)
    return list(enumerate(seen))


STEPS = steps()
EVERY_STEP = pytest.mark.parametrize(("number", "step"), STEPS, ids=[f"{number}-{step}" for number, step in STEPS])


def at_step(archive: Archive, number: int, step: str, happens: Callable[[], None]) -> None:
    """From now on something happens at one step."""
    taken = iter(range(10_000))

    def hook(name: str) -> None:
        if next(taken) == number:
            assert name == step
            happens()

    archive.world.whenever(hook)


def die() -> None:
    raise Killed


def lose() -> None:
    raise StoreUnavailable("The answer was lost.")


@EVERY_STEP
@pytest.mark.parametrize("fault", [die, lose])
def test_the_next_walk_finds_what_is_left_and_every_fact_is_merged_once(
    number: int, step: str, fault: Callable[[], None]
) -> None:
    with House() as house:
        archive = old(house)
        at_step(archive, number, step, fault)
        with suppress(Killed, ContextMemoryError):
            meet(archive)
        archive.world.whenever(lambda _: None)
        standing = stands(house)
        assert {text for fact in standing.values() for text in _behind(fact)} == {*TRAVELS, *BOATS}
        house.restart()
        Archive(house).walk()
        assert set(stands(house)) == MERGED
        assert sorted(text for fact in stands(house).values() for text in _behind(fact)) == sorted((*TRAVELS, *BOATS))


@EVERY_STEP
def test_what_is_forgotten_at_any_step_is_gone_and_the_rest_stands(number: int, step: str) -> None:
    with House() as house:
        archive = old(house)

        def forget() -> None:
            archive.world.whenever(lambda _: None)
            house.model.queue("gate", "FORGET")
            house.model.queue("consolidation", "NOOP")
            house.post("forget", "Please forget that I was in Prague.")
            house.work()

        at_step(archive, number, step, forget)
        with suppress(ContextMemoryError):
            meet(archive)
        archive.world.whenever(lambda _: None)
        Archive(house).walk()
        left = [text for fact in stands(house).values() for text in (fact.text, *_behind(fact))]
        assert not [text for text in left if "Prague" in text]
        assert {text for text in left if text not in MERGED} == {TRAVELS[1], *BOATS}


def _behind(fact: Fact) -> list[str]:
    return [one.text for one in fact.compaction.originals] if fact.compaction else [fact.text]
