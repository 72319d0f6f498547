"""A process can die between any two steps of a change without a turn and of what follows it, or not learn an answer.

Whatever the step: the same memory, each revision once, everything told, and nothing left to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import ContextMemoryError, StoreUnavailable
from context_memory.domain.profile import Bullets
from context_memory.domain.writers import Writer
from tests.support.house import LENA, PROMPTS, House, body

if TYPE_CHECKING:
    from context_memory.application.changing.wanted import Standing

BASEL, DIET = "Lives in Basel.", "Takes insulin twice a day."
HARBOURS = tuple(f"Knows the whole history of harbour number {number} on the upper Rhine." for number in range(60))
SMALL = body(identity=[BASEL], work=list(HARBOURS[:10]))
STORIES = ("scrubbed", "condensed")
DAY = 86_400


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def arranged(house: House) -> None:
    house.model.script("scrub", lambda asked: "2 DROP" if DIET in asked.said_by("user").split("<lines")[1] else "CLEAN")
    house.model.script("condense", lambda _: SMALL)


def wanted(story: str) -> Bullets:
    return Bullets(identity=(BASEL, DIET), work=HARBOURS if story == "condensed" else ())


def imported(house: House, story: str) -> None:
    """What a user asks for, and asks for again until there is an answer."""

    def make(_: Standing) -> Wanted:
        return Wanted(bullets=wanted(story))

    if house.world.table.state(LENA).profile is None:
        house.change(LENA, Writer.IMPORT, make)


def run(house: House, story: str) -> None:
    """A change, and everything that follows it; of the second story under a cap that is lowered in between."""
    imported(house, story)
    if story == "condensed":
        house.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    house.tend()


def steps_of(story: str) -> list[str]:
    seen: list[str] = []
    with House() as house:
        arranged(house)
        house.world.whenever(seen.append)
        run(house, story)
    return seen


CASES = [(story, number, step) for story in STORIES for number, step in enumerate(steps_of(story))]
NAMES = [f"{story}-{number}-{step}" for story, number, step in CASES]


def recover(house: House, story: str) -> None:
    """Callers try again, messages come back, the agenda comes round."""
    house.world.whenever(lambda _: None)
    house.restart()
    run(house, story)
    for _ in range(2):
        house.world.clock.advance(DAY)
        house.ring_agenda()
        house.tend()


def assert_right(house: House, story: str) -> None:
    state = house.world.table.state(LENA)
    assert state.profile is not None
    assert house.memory() == (SMALL if story == "condensed" else body(identity=[BASEL]))
    assert state.profile.policy_version == PROMPTS.policy_version
    numbers = range(1, state.profile.turn_count + 1)
    revisions = [house.world.table.revision(LENA, 0, number) for number in numbers]
    writers = [revision.writer for revision in revisions if revision]
    expected = [Writer.IMPORT, Writer.SCRUB]
    assert writers == (expected if story == "scrubbed" else [*expected, Writer.CONDENSATION])
    told = {news.revision for news in house.world.news.published}
    assert told == set(numbers)
    assert state.open_changes == ()
    assert house.world.jobs.waiting() == []
    house.world.clock.advance(DAY)
    due = house.world.agenda.due("acme", house.world.clock.now().date())
    assert [entry for entry in due if entry.kind in house.workers] == []


@pytest.mark.parametrize(("story", "number", "step"), CASES, ids=NAMES)
def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(story: str, number: int, step: str) -> None:
    with House() as house:
        arranged(house)
        taken = iter(range(10_000))

        def kill(name: str) -> None:
            if next(taken) == number:
                assert name == step
                raise Killed

        house.world.whenever(kill)
        with pytest.raises(Killed):
            run(house, story)
        recover(house, story)
        assert_right(house, story)


@pytest.mark.parametrize(("story", "number", "step"), CASES, ids=NAMES)
def test_a_lost_answer_at_any_step_loses_nothing_and_doubles_nothing(story: str, number: int, step: str) -> None:
    with House() as house:
        arranged(house)
        taken = iter(range(10_000))

        def lose(name: str) -> None:
            if next(taken) == number:
                assert name == step
                raise StoreUnavailable("The answer was lost.")

        house.world.whenever(lose)
        for _ in range(2):
            try:
                run(house, story)
                break
            except ContextMemoryError:
                continue
        recover(house, story)
        assert_right(house, story)
