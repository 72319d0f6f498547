"""A user's change that dies at any step: asked for again it stands once, and nothing stands in between."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.account.answers import changes_body
from context_memory.domain.editing.importing import Mode
from context_memory.domain.errors import ContextMemoryError, StoreUnavailable
from context_memory.domain.jobs import JobKind
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.state import UserSettings
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEFORE = Bullets(identity=("Lives in Basel.",), skills=("Writes Rust.",))
AFTER = Bullets(identity=("Lives in Basel since 2019.",), skills=("Writes Rust.",))
PIN = pin_of(Section.IDENTITY, "Lives in Basel.")
MOVED = pin_of(Section.IDENTITY, "Lives in Basel since 2019.")
FIRST = frozenset({(0, 1)})


class Died(Exception):
    """The process is gone."""


@contextmanager
def known() -> Iterator[House]:
    """Lena has written two things about herself, and pinned one."""
    with House() as house:
        house.edit(LENA, BEFORE, expected=frozenset({(0, 0)}))
        house.pin(LENA, [PIN])
        yield house


def edit(house: House) -> None:
    house.edit(LENA, AFTER, expected=FIRST)


def deny(house: House) -> None:
    house.deny(LENA, ("rust",), frozenset({"health"}))


CHANGES: dict[str, tuple[Callable[[House], None], str, frozenset[str]]] = {
    "edit": (edit, body(identity=["Lives in Basel since 2019."], skills=["Writes Rust."]), frozenset({MOVED})),
    "deny": (deny, body(identity=["Lives in Basel."]), frozenset({PIN})),
}


def steps(change: Callable[[House], None]) -> list[str]:
    """What the change asks of the world, in order."""
    taken: list[str] = []
    with known() as house:
        house.world.whenever(taken.append)
        change(house)
    return taken


@pytest.fixture
def house() -> Iterator[House]:
    with known() as house:
        yield house


def interrupted(house: House, change: Callable[[House], None], number: int, act: Callable[[], None]) -> None:
    """Make the change, and do something at one of its steps; then nothing comes in between any more."""
    taken = iter(range(10_000))

    def strike(_: str) -> None:
        if next(taken) == number:
            act()

    house.world.whenever(strike)
    with suppress(Died, ContextMemoryError):
        change(house)
    house.world.whenever(lambda _: None)


CASES = [(name, number, step) for name, (change, _, _) in CHANGES.items() for number, step in enumerate(steps(change))]


@pytest.mark.parametrize(("name", "number"), [case[:2] for case in CASES], ids=[f"{n}-{i}-{s}" for n, i, s in CASES])
@pytest.mark.parametrize("death", [Died, StoreUnavailable])
def test_a_change_that_dies_at_any_step_stands_once_when_it_is_asked_for_again(
    house: House, name: str, number: int, death: type[Exception]
) -> None:
    change, memory, pins = CHANGES[name]

    def die() -> None:
        raise death("gone")

    interrupted(house, change, number, die)
    change(house)
    state = house.world.table.state(LENA)
    assert (house.memory(), state.settings.pins) == (memory, pins)
    assert state.profile is not None
    assert state.profile.turn_count == 2
    house.sweep(LENA)
    assert len(house.world.profiles.versions(LENA)) == 2


@pytest.mark.parametrize("name", CHANGES)
def test_what_follows_a_change_is_noted_even_if_it_dies_right_behind_the_commit(house: House, name: str) -> None:
    change, memory, _ = CHANGES[name]

    def strike(step: str) -> None:
        if step == "after:table.settle":
            raise Died

    tomorrow = house.world.clock.now().date() + timedelta(days=1)
    for entry in house.world.agenda.due("acme", tomorrow):
        house.world.agenda.strike(entry)
    house.world.whenever(strike)
    with pytest.raises(Died):
        change(house)
    house.world.whenever(lambda _: None)
    assert house.memory() == memory
    due = house.world.agenda.due("acme", tomorrow)
    assert JobKind.FOLLOW_UP in {entry.kind for entry in due}


@pytest.mark.parametrize(("name", "number"), [case[:2] for case in CASES], ids=[f"{n}-{i}-{s}" for n, i, s in CASES])
def test_an_erase_at_any_step_of_a_change_wins(house: House, name: str, number: int) -> None:
    def erase() -> None:
        """The fence, and the sweep of items."""
        items = house.world.table._users[LENA]  # noqa: SLF001 - of the erase only the fence matters here
        items.profile = None
        items.revisions.clear()
        fenced = UserSettings(epoch=1, erased_at=house.world.clock.now(), erase_running=True)
        house.world.table.write_settings(LENA, fenced)

    interrupted(house, CHANGES[name][0], number, erase)
    state = house.world.table.state(LENA)
    assert state.profile is None
    assert (state.settings.pins, state.settings.deny_phrases, state.settings.epoch) == (frozenset(), (), 1)
    assert [*house.world.table.revisions(LENA, 0, limit=10), *house.world.table.revisions(LENA, 1, limit=10)] == []


def test_a_file_is_told_the_same_whether_its_answer_was_lost_or_not(house: House) -> None:
    first = house.bring(LENA, AFTER, Mode.MERGE, expected=FIRST)
    again = house.bring(LENA, AFTER, Mode.MERGE, expected=FIRST)
    assert (first.stored, again.stored, again.version) == (True, False, (0, 2))
    assert changes_body(again)["operations"] == []
