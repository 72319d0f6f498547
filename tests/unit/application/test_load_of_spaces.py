"""What a space costs a load: nothing while it is known, and no answer that is waited for in turn while it is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier, Event
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.company_switches import CompanySwitches
from context_memory.adapters.kept import Ages
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.spaces import SpaceSettings
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 60.0
OFF = SpaceSettings(context_memory=False)


@contextmanager
def starting(house: House) -> Iterator[House]:
    """The house with a process of `load` that knows nothing yet, and threads for what it asks side by side."""
    world = house.world
    world.flags.companies["acme"] = OperatorFlags(context_memory=True, context_memory_with_web_search=True)
    switches = CompanySwitches(
        flags=world.flags,
        companies=world.companies,
        spaces=world.spaces,
        ages=Ages(fresh_seconds=SECONDS, stale_seconds=SECONDS),
        monotonic=world.clock.monotonic,
    )
    with ThreadPoolExecutor(2) as executor:
        house.load_memory = replace(house.load_memory, switches=switches, executor=executor)
        yield house


@pytest.fixture
def known(house: House) -> Iterator[House]:
    """Lena's memory holds one bullet."""
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    with starting(house) as started:
        yield started


def test_a_space_of_which_nothing_is_known_is_read_while_the_users_state_and_profile_are(known: House) -> None:
    meeting = Barrier(3)  # a load that asks one after the other never comes past it

    def hook(step: str) -> None:
        if step in {"before:spaces.space", "before:table.state", "before:profiles.latest"}:
            meeting.wait(5)

    known.world.whenever(hook)
    assert known.load().view is not None
    assert not meeting.broken


def test_a_space_of_which_nothing_is_known_is_read_while_the_companys_settings_are(known: House) -> None:
    meeting = Barrier(2)

    def hook(step: str) -> None:
        if step in {"before:spaces.space", "before:companies.settings"}:
            meeting.wait(5)

    known.world.whenever(hook)
    assert known.load().view is not None
    assert not meeting.broken


def test_a_space_that_is_known_costs_a_load_no_request(known: House) -> None:
    known.load()
    steps: list[str] = []
    known.world.whenever(steps.append)
    known.load()
    ports = {step.removeprefix("before:") for step in steps if step.startswith("before:")}
    assert ports == {"flags.flags", "table.state", "profiles.latest"}  # flags are kept where they are read


def test_a_space_that_is_off_shows_nothing_and_once_it_is_known_reads_nothing_of_the_user(known: House) -> None:
    known.world.spaces.register("acme", "s1", OFF, version=0)
    first, steps = known.load(), list[str]()
    known.world.whenever(steps.append)
    second = known.load()
    assert [(loaded.reason, loaded.view) for loaded in (first, second)] == [("space_off", None)] * 2
    assert not [step for step in steps if "table" in step or "profiles" in step]


def test_a_space_that_turns_out_to_be_off_after_all_else_was_read_shows_nothing(known: House) -> None:
    known.world.spaces.register("acme", "s1", OFF, version=0)
    state_was_read = Event()

    def hook(step: str) -> None:
        if step == "before:spaces.space":
            assert state_was_read.wait(5)
        if step == "after:table.state":
            state_was_read.set()

    known.world.whenever(hook)
    loaded = known.load()
    assert (loaded.reason, loaded.view) == ("space_off", None)


def test_what_is_pinned_is_shown_where_a_space_is_shown_less(known: House) -> None:
    facts = tuple(f"Knows the whole history of harbour number {number} on the upper Rhine." for number in range(60))
    known.edit(LENA, Bullets(skills=facts), expected=frozenset({(0, 1)}))
    known.world.spaces.register("acme", "s1", SpaceSettings(max_tokens=500), version=0)
    assert facts[-1] not in known.memory()
    known.pin(LENA, [pin_of(Section.SKILLS, facts[-1])])
    shown = known.load().view
    assert shown is not None
    assert facts[-1] in shown.memory
    assert shown.tokens <= 500


def test_a_space_whose_settings_are_out_of_reach_is_no_space_without_settings(known: House) -> None:
    known.world.spaces.register("acme", "s1", OFF, version=0)

    def down(step: str) -> None:
        if step == "before:spaces.space":
            raise StoreUnavailable("as wanted")

    known.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        known.load()
