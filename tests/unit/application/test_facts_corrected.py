"""A user's edit of the memory counts for the facts, too: what was edited away is not recalled any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.profile import Bullets
from tests.support.facts import a_fact
from tests.support.house import LENA, House
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = frozenset({(0, 1)})


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory says what three facts say one by one, and a fourth says something else."""
    house.edit(
        LENA, Bullets(identity=("Works as a nurse at Inselspital.", "Lives in Basel.")), expected=frozenset({(0, 0)})
    )
    stated(house, "Works as a nurse.", "Works at Inselspital.", "Lives in Basel.", "Likes Basel.")
    return house


def stated(house: House, *texts: str) -> None:
    """Facts of turns that happened just now."""
    now = house.world.clock.now()
    put(house, *(a_fact(text, created_at=now, last_confirmed_at=now) for text in texts))


def edit(house: House, *identity: str) -> None:
    house.edit(LENA, Bullets(identity=identity), expected=FIRST)


@pytest.mark.parametrize(
    ("identity", "left"),
    [
        (("Works as a nurse at Inselspital.", "Lives in Bern."), {"Works as a nurse.", "Works at Inselspital."}),
        (("Works as a nurse at Inselspital.",), {"Works as a nurse.", "Works at Inselspital."}),
        (("Works as a nurse at Triemli.", "Lives in Basel."), {"Works as a nurse.", "Lives in Basel."}),
        (
            ("Works as a nurse at Inselspital.", "Lives in Basel since 2019."),
            {"Works as a nurse.", "Works at Inselspital.", "Lives in Basel."},
        ),
        ((), set()),
    ],
)
def test_facts_that_say_what_was_edited_away_go_and_no_others(
    known: House, identity: tuple[str, ...], left: set[str]
) -> None:
    edit(known, *identity)
    assert set(stands(known)) == left | {"Likes Basel."}


def test_what_was_stated_since_stays_though_what_follows_an_edit_comes_late(known: House) -> None:
    edit(known, "Works as a nurse at Inselspital.")
    known.world.clock.advance(1)
    stated(known, "Lives in Basel.")
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert "Lives in Basel." in stands(known)


def test_an_edit_whose_facts_were_out_of_reach_takes_them_out_when_it_is_sent_again(known: House) -> None:
    change = failing_once(known)
    with pytest.raises(StoreUnavailable):
        edit(known, "Works as a nurse at Inselspital.")
    assert "Lives in Basel." in stands(known)
    change()
    edit(known, "Works as a nurse at Inselspital.")
    assert "Lives in Basel." not in stands(known)


def test_what_follows_an_edit_takes_them_out_where_nobody_sends_it_again(known: House) -> None:
    change = failing_once(known)
    with pytest.raises(StoreUnavailable):
        edit(known, "Works as a nurse at Inselspital.")
    change()
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert "Lives in Basel." not in stands(known)


def test_an_edit_can_be_undone_although_it_took_facts_out(known: House) -> None:
    edit(known, "Works as a nurse at Inselspital.")
    known.world.clock.advance(10 * 86_400)
    known.restore(LENA, 1)
    assert "Lives in Basel." in (known.memory() or "")


def failing_once(house: House) -> Callable[[], None]:
    """Let no fact be changed until what this returns is called."""

    def strike(step: str) -> None:
        if step == "before:table.change_facts":
            raise StoreUnavailable("No answer.")

    house.world.whenever(strike)
    return lambda: house.world.whenever(lambda _: None)
