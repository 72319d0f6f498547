"""A process can die between any two steps of keeping a turn, or of making facts of it: kept once, and gone once.

The same at every step for what must stop it: a wish to forget, and an erase.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import ContextMemoryError, StoreUnavailable
from context_memory.domain.facts.outcomes import FactsOutcome
from tests.support.house import LENA, House
from tests.support.keeper import Keeper, added, said
from tests.support.kept_facts import stands

if TYPE_CHECKING:
    from collections.abc import Callable

SAID = "I varnished the cedar canoe today."
VARNISHED = said(added("Varnished the cedar canoe.", SAID))


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def waiting(keeper: Keeper) -> None:
    """A turn that has ended for the profile; nobody has looked for its facts yet."""
    keeper.tell("t1", SAID, work=False)
    keeper.house.consolidate_all()


def due(keeper: Keeper) -> None:
    """A kept turn whose end comes, and a model that makes a fact of it."""
    keeper.house.model.script("summary", lambda _: VARNISHED)
    keeper.tell("t1", SAID)
    keeper.days_later(29.5)


def extract(keeper: Keeper) -> None:
    keeper.house.extract_all()


def summarise(keeper: Keeper) -> None:
    keeper.meet()


def steps(prepare: Callable[[Keeper], None], work: Callable[[Keeper], None]) -> list[tuple[int, str]]:
    seen: list[str] = []
    with House() as house:
        keeper = Keeper(house)
        prepare(keeper)
        keeper.world.whenever(seen.append)
        work(keeper)
    return list(enumerate(seen))


def _cases(found: list[tuple[int, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("number", "step"), found, ids=[f"{number}-{step}" for number, step in found])


KEEPING = _cases(steps(waiting, extract))
SUMMARISING = _cases(steps(due, summarise))


def at_step(keeper: Keeper, number: int, step: str, happens: Callable[[], None]) -> None:
    """From now on something happens at one step."""
    taken = iter(range(10_000))

    def hook(name: str) -> None:
        if next(taken) == number:
            assert name == step
            happens()

    keeper.world.whenever(hook)


def die() -> None:
    raise Killed


def lose() -> None:
    raise StoreUnavailable("The answer was lost.")


def recover(keeper: Keeper) -> None:
    """New processes look after everything, for as long as a text may last."""
    keeper.world.whenever(lambda _: None)
    keeper.restart()
    for _ in range(3):
        keeper.world.clock.advance(2000)
        keeper.house.heal()
        keeper.house.work()


def go_on(keeper: Keeper) -> None:
    """The walk goes on, and so do those of the next days."""
    recover(keeper)
    for _ in range(2):
        keeper.daily()
        keeper.days_later(1)
    keeper.house.heal()


@KEEPING
@pytest.mark.parametrize("fault", [die, lose])
def test_whatever_is_lost_while_a_turn_comes_to_be_kept_it_is_kept_once(
    number: int, step: str, fault: Callable[[], None]
) -> None:
    with House() as house:
        keeper = Keeper(house)
        waiting(keeper)
        at_step(keeper, number, step, fault)
        try:
            extract(keeper)
        except Killed:
            assert fault is die
        recover(keeper)
        assert house.record("t1").facts_outcome is FactsOutcome.NOTHING
        assert keeper.kept() == ["t1"]
        assert [one[0] for one in keeper.world.texts.stored(LENA)] == ["t1"]
        assert keeper.world.payloads.stored(LENA) == []


@KEEPING
def test_a_wish_to_forget_at_any_step_leaves_no_text(number: int, step: str) -> None:
    with House() as house:
        keeper = Keeper(house)
        waiting(keeper)
        at_step(keeper, number, step, lambda: forget(keeper))
        extract(keeper)
        recover(keeper)
        keeper.daily()
        assert (keeper.kept(), keeper.texts()) == ([], [])


@SUMMARISING
@pytest.mark.parametrize("fault", [die, lose])
def test_whatever_is_lost_while_a_turn_is_summarised_its_fact_is_stored_once_and_its_text_goes(
    number: int, step: str, fault: Callable[[], None]
) -> None:
    with House() as house:
        keeper = Keeper(house)
        due(keeper)
        at_step(keeper, number, step, fault)
        with suppress(Killed, ContextMemoryError):
            summarise(keeper)
        go_on(keeper)
        assert list(stands(house)) == ["Varnished the cedar canoe."]
        assert (keeper.kept(), keeper.texts()) == ([], [])


@SUMMARISING
def test_a_wish_to_forget_at_any_step_of_a_summary_lets_nothing_be_stored_behind_it(number: int, step: str) -> None:
    with House() as house:
        keeper = Keeper(house)
        due(keeper)
        before: list[list[str]] = []

        def wish() -> None:
            forget(keeper)
            before.append(list(stands(house)))

        at_step(keeper, number, step, wish)
        summarise(keeper)
        go_on(keeper)
        assert [list(stands(house))] == before
        assert (keeper.kept(), keeper.texts()) == ([], [])


@SUMMARISING
def test_an_erase_at_any_step_of_a_summary_leaves_no_fact(number: int, step: str) -> None:
    with House() as house:
        keeper = Keeper(house)
        due(keeper)

        def erase() -> None:
            keeper.world.whenever(lambda _: None)
            settings = keeper.world.table.state(LENA).settings
            keeper.world.table.write_settings(LENA, replace(settings, epoch=1))

        at_step(keeper, number, step, erase)
        summarise(keeper)
        go_on(keeper)
        assert stands(house) == {}
        assert keeper.kept() == []


def forget(keeper: Keeper) -> None:
    keeper.world.whenever(lambda _: None)
    keeper.house.forgetting.let_go.all_until(LENA, 0)
