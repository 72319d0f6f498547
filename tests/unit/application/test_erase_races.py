"""An erase wins against whatever is under way: at each of its steps, and no word of it is anywhere afterwards."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.errors import ContextMemoryError
from context_memory.domain.profile import Section
from context_memory.domain.writers import Writer
from tests.support.eraser import Eraser, remains
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.changing.wanted import Standing

WORD = "Reykjavik"
"""What Lena said, and nobody else ever did."""
KNOWN = body(identity=[f"Lives in {WORD}."])


def remembering(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda asked: more(asked.said_by("user")))
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", f"I live in {WORD}.")
    house.work()
    house.world.clock.advance(60)


def more(said: str) -> str:
    return body(identity=[f"Lives in {WORD}."], skills=["Writes Rust."] if "Rust" in said else [])


def posted(house: House) -> None:
    house.post("t2", f"I write Rust in {WORD}.")


def consolidated(house: House) -> None:
    house.work()


def edited(house: House) -> None:
    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.WORK, (f"Works in {WORD}.",)))

    house.change(LENA, Writer.USER, make)


def redriven(house: House) -> None:
    house.redrive(LENA, "t2")
    house.work()


def healed(house: House) -> None:
    house.world.clock.advance(700)
    house.heal()
    house.work()


def nothing_before(_: House) -> None:
    """Lena remembers, and that is all."""


def given_up(house: House) -> None:
    posted(house)
    record = house.record("t2")
    house.world.table.bury(LENA, record, reason="model_rejected")


STORIES: dict[str, tuple[Callable[[House], None], Callable[[House], None]]] = {
    "acceptance": (nothing_before, posted),
    "consolidation": (posted, consolidated),
    "edit": (nothing_before, edited),
    "redrive": (given_up, redriven),
    "healing": (posted, healed),
}


def steps(story: str) -> list[str]:
    seen: list[str] = []
    before, act = STORIES[story]
    with House() as house:
        remembering(house)
        before(house)
        house.world.whenever(seen.append)
        act(house)
    return seen


# What one step has done the next begins with: nothing happens between them.
CASES = [
    (story, number, step) for story in STORIES for number, step in enumerate(steps(story)) if step.startswith("before:")
]


@pytest.mark.parametrize(("story", "number", "step"), CASES, ids=[f"{s}-{n}-{p}" for s, n, p in CASES])
def test_an_erase_at_any_step_leaves_nothing_and_lets_nothing_come_back(story: str, number: int, step: str) -> None:
    before, act = STORIES[story]
    with House() as house:
        remembering(house)
        before(house)
        eraser, taken = Eraser(house.world), iter(range(10_000))

        def strike(name: str) -> None:
            if next(taken) == number:
                assert name == step
                house.world.whenever(lambda _: None)
                eraser.erase()

        house.world.whenever(strike)
        with contextlib.suppress(ContextMemoryError):  # whoever is in the way of an erase may be told so
            act(house)
        house.world.whenever(lambda _: None)
        house.work()
        assert house.load().view is None
        eraser.work()
        house.work()
        house.heal()
        house.work()
        assert remains(house.world) == []
        assert WORD not in everywhere(house)
        assert eraser.receipt()["status"] == "final"
        house.world.clock.advance(1)
        house.post("t3", "I write Rust.")
        house.work()
        assert house.record("t3").outcome is not None


def everywhere(house: House) -> str:
    """All that is kept, queued, logged and counted, as text."""
    world = house.world
    places = (world.jobs.sent, world.doorbells.dead, world.telemetry, world.news)
    return " ".join(map(repr, (*places, *vars(world.table).values(), *vars(world.profiles).values(), *_queued(house))))


def _queued(house: House) -> list[object]:
    return [
        *vars(house.world.doorbells).values(),
        *vars(house.world.agenda).values(),
        *vars(house.world.payloads).values(),
    ]
