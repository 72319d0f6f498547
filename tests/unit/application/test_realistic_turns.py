from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.house import body
from tests.support.realistic_turns import TURNS

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.realistic_turns import Sections, Turn
    from tests.support.scripted_model import Asked, Script

by_name = pytest.mark.parametrize("turn", TURNS, ids=[turn.name for turn in TURNS])


def before(house: House, base: Sections) -> None:
    """Let the user have said all that the profile holds."""
    house.learns(body(**base))
    house.post("before", "\n".join(bullet for bullets in base.values() for bullet in bullets))
    house.work()
    assert house.memory() == body(**base)
    house.world.clock.advance(3600)


def dropping(private: str) -> Script:
    """A scrub that drops each line with this word."""

    def scrub(asked: Asked) -> str:
        lines = re.findall(r"^(\d+): (.*)$", asked.said_by("user"), re.MULTILINE)
        return "\n".join(f"{number} DROP" for number, line in lines if private and private in line) or "CLEAN"

    return scrub


def take(house: House, turn: Turn, answer: Sections, gate: str) -> None:
    """Work one turn off."""
    house.model.script("gate", lambda _: gate)
    house.model.script("consolidation", lambda _: body(**answer))
    house.model.script("scrub", dropping(turn.private))
    house.post("turn", "", messages=turn.messages, time_zone="Europe/Zurich")
    house.work()


@by_name
def test_a_good_model_leaves_just_what_the_user_said(house: House, turn: Turn) -> None:
    before(house, turn.base)
    take(house, turn, turn.stands, "NOOP" if turn.good is None else turn.gate)
    assert house.memory() == body(**turn.stands)
    outcome = "noop" if turn.good is None else "forgotten" if turn.gate == "FORGET" else "updated"
    assert house.record("turn").outcome == outcome


@by_name
def test_a_sloppy_model_does_no_more_than_that(house: House, turn: Turn) -> None:
    before(house, turn.base)
    take(house, turn, turn.sloppy, "UPDATE" if turn.good is None else turn.gate)
    assert house.memory() == body(**turn.stands)
