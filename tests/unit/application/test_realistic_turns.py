from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.house import body
from tests.support.realistic_turns import CONTROLLER, TURNS, but

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


def test_a_correction_in_the_same_breath_wins_and_both_turns_are_one_change(house: House) -> None:
    before(house, CONTROLLER)
    house.post("t1", "We moved to Munich last weekend.")
    house.world.clock.advance(20)
    house.post("t2", "Sorry, I mean Augsburg, Munich was the hotel.")
    moved = but(CONTROLLER, identity=["Works as a controller at Nordbank.", "Lives in Augsburg.", "Has two daughters."])
    house.learns(body(**moved))
    house.work()
    assert house.memory() == body(**moved)
    assert house.record("t1").revision == house.record("t2").revision == 2


def test_a_sloppy_model_leaves_no_topic_about_what_was_forgotten(house: House) -> None:
    before(house, CONTROLLER)
    forgotten = but(CONTROLLER, identity=["Works as a controller at Nordbank.", "Lives in Hamburg."])
    house.learns(
        body(**but(forgotten, topics=["2026-01-05 10:30 UTC: The user's daughters are forgotten."])), gate="FORGET"
    )
    house.post("turn", "Please forget that I have two daughters.")
    house.work()
    assert house.memory() == body(**forgotten)
    assert house.record("turn").outcome == "forgotten"


def test_what_was_forgotten_does_not_come_back_with_the_history_of_a_later_turn(house: House) -> None:
    forgotten = but(CONTROLLER, identity=["Works as a controller at Nordbank.", "Lives in Hamburg."])
    before(house, forgotten)
    house.learns(body(**CONTROLLER))
    history = [
        {"role": "user", "content": "I have two daughters."},
        {"role": "assistant", "content": "How nice, two daughters!"},
        {"role": "user", "content": "Which tax class do I need?"},
        {"role": "assistant", "content": "With two daughters, class three."},
    ]
    house.post("turn", "", messages=history)
    house.work()
    assert house.memory() == body(**forgotten)


def test_a_month_of_turns_with_a_model_that_forgets_one_bullet_each_time_loses_nothing(house: House) -> None:
    before(house, CONTROLLER)
    skills = ["Python", "Tableau", "Excel", "Rust", "Looker", "Airflow", "Kafka", "Snowflake"]
    kept = [*CONTROLLER["skills"]]
    for number, skill in enumerate(skills):
        house.world.clock.advance(86_400)
        answer = [*kept, f"Uses {skill}."]
        answer.pop(number % len(kept))
        house.learns(body(**but(CONTROLLER, skills=answer)))
        house.post(f"t{number}", f"I have started with {skill}.")
        house.work()
        kept.append(f"Uses {skill}.")
    assert house.memory() == body(**but(CONTROLLER, skills=kept))
