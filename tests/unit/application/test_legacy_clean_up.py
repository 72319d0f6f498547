"""A file at the legacy place goes when the first change has moved it, and is never shown again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.profile import Section
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from context_memory.application.changing.wanted import Standing

FILE = body(identity=["Lives in Basel."]).encode()
MOVED = body(identity=["Lives in Basel."], skills=["Writes Rust."])


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture(autouse=True)
def with_an_old_file(house: House) -> None:
    switch(house, legacy=True)
    house.world.profiles.legacy_files[LENA] = FILE
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: MOVED)
    house.model.script("scrub", lambda _: "CLEAN")


def switch(house: House, *, legacy: bool) -> None:
    house.world.companies.replace("acme", CompanySettings(legacy=legacy), version=None)
    house.world.switches.companies["acme"] = replace(house.world.switches.flags("acme"), legacy=legacy)


def turn(house: House) -> None:
    house.post("t1", "I write Rust.")
    house.work()


def legacy(house: House) -> bytes | None:
    return house.world.profiles.legacy_files.get(LENA)


def a_day_later(house: House) -> None:
    house.world.clock.advance(86_400)
    house.ring_agenda()
    house.tend()


def test_a_turn_moves_the_file_and_its_old_place_is_cleaned_up(house: House) -> None:
    turn(house)
    assert legacy(house) == FILE  # not before the commit, and not in its way
    house.tend()
    assert legacy(house) is None
    assert house.memory() == MOVED


def test_a_change_of_the_users_moves_it_too(house: House) -> None:
    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.SKILLS, ["Writes Rust."]))

    assert house.change(LENA, Writer.USER, make).stored
    house.tend()
    assert legacy(house) is None
    assert house.memory() == MOVED


def test_as_long_as_nothing_is_stored_the_file_is_left_alone(house: House) -> None:
    def lost(step: str) -> None:
        if step == "before:table.settle":
            raise StoreUnavailable("down")

    house.world.whenever(lost)
    turn(house)
    house.world.whenever(lambda _: None)
    house.tend()
    assert legacy(house) == FILE
    a_day_later(house)
    assert legacy(house) == FILE
    house.world.clock.advance(2000)
    house.work()
    assert house.memory() == MOVED
    a_day_later(house)
    assert legacy(house) is None


@pytest.mark.parametrize("step", ["after:table.settle", "before:payloads.delete", "before:profiles.delete_legacy"])
def test_whoever_dies_between_the_commit_and_the_clean_up_is_made_up_for(house: House, step: str) -> None:
    def kill(name: str) -> None:
        if name == step:
            raise Killed

    house.world.whenever(kill)
    try:
        turn(house)
        house.tend()
    except Killed:
        pass
    house.world.whenever(lambda _: None)
    house.restart()
    house.world.jobs.sent.clear()  # and the message is lost, too
    assert house.memory() == MOVED
    a_day_later(house)
    assert legacy(house) is None
    assert house.record("t1").status is TurnStatus.DONE


def test_nothing_is_stored_whose_clean_up_cannot_be_noted(house: House) -> None:
    def refuse(step: str) -> None:
        if step == "before:agenda.note":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    turn(house)
    assert house.record("t1").status is TurnStatus.RETRYING
    assert house.world.table.state(LENA).profile is None
    house.world.whenever(lambda _: None)
    house.world.clock.advance(2000)
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert house.record("t1").attempts == 1


def test_a_file_that_was_moved_is_never_shown_again_whatever_is_switched(house: House) -> None:
    turn(house)
    for on in (False, True):
        switch(house, legacy=on)
        assert house.memory() == MOVED
    switch(house, legacy=False)
    house.tend()
    assert legacy(house) is None


def test_the_file_of_a_user_who_was_erased_goes_too(house: House) -> None:
    turn(house)
    house.world.table.write_settings(LENA, UserSettings(epoch=1))
    assert house.memory() == ""
    house.tend()
    assert legacy(house) is None


def test_a_file_of_which_nothing_was_stored_stays_though_somebody_noted_that_it_goes(house: House) -> None:
    def lost(step: str) -> None:
        if step == "before:table.settle":
            raise StoreUnavailable("down")

    house.world.whenever(lost)
    turn(house)
    house.world.whenever(lambda _: None)
    switch(house, legacy=False)
    house.model.script("consolidation", lambda _: body(skills=["Writes Rust."]))
    house.world.clock.advance(2000)
    house.work()
    assert "Basel" not in house.memory()
    house.tend()
    a_day_later(house)
    assert legacy(house) == FILE


def test_a_turn_that_changes_nothing_notes_nothing(house: House) -> None:
    house.model.script("consolidation", lambda _: "NOOP")
    turn(house)
    assert house.world.jobs.waiting() == []
    assert legacy(house) == FILE
