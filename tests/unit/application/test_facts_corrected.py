"""What a user takes out of the memory counts for the facts, too: by an edit, a restore, or a file in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.editing.importing import Mode
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.profile import Bullets
from tests.support.facts import a_fact
from tests.support.house import LENA, House
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.changing.wanted import Changed

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


def replace(house: House, *identity: str, brings: tuple[str, ...] = ()) -> Changed:
    return house.bring(LENA, Bullets(identity=identity), Mode.REPLACE, expected=FIRST, brings=brings)


def test_facts_that_said_what_a_file_took_the_place_of_go(known: House) -> None:
    replace(known, "Works as a nurse at Inselspital.", "Sails on Sundays.")
    assert set(stands(known)) == {"Works as a nurse.", "Works at Inselspital.", "Likes Basel."}


def test_facts_stay_where_a_file_is_merged_although_it_says_more_than_a_bullet(known: House) -> None:
    known.bring(LENA, Bullets(identity=("Lives in Basel since 2019.",)), Mode.MERGE, expected=FIRST)
    assert "Lives in Basel since 2019." in (known.memory() or "")
    assert "Lives in Basel." in stands(known)


def test_a_fact_that_comes_with_the_file_stays_although_no_bullet_says_it_any_more(known: House) -> None:
    replace(known, "Works at Triemli.", brings=("Lives in Basel.",))
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert set(stands(known)) == {"Lives in Basel.", "Likes Basel."}


def test_what_only_had_no_room_beside_a_file_stays_a_fact(known: House) -> None:
    many = [f"Project number {number} is about boats, bridges and ferries on the lake." for number in range(150)]
    bullets = Bullets(identity=("Works as a nurse at Inselspital.",), topics=("Lives in Basel.", *many))
    changed = known.bring(LENA, bullets, Mode.REPLACE, expected=FIRST)
    assert "Lives in Basel." in {text for _, text in changed.cut}
    assert "Lives in Basel." in stands(known)


def test_facts_that_an_older_content_does_not_say_go_when_it_is_restored(known: House) -> None:
    known.edit(LENA, Bullets(identity=("Works at Triemli.", "Lives in Basel.")), expected=FIRST)
    stated(known, "Works at Triemli.")
    known.restore(LENA, 1)
    assert set(stands(known)) == {"Lives in Basel.", "Likes Basel."}


def test_what_was_stated_after_a_restore_stays_though_what_follows_comes_late(known: House) -> None:
    known.edit(LENA, Bullets(identity=("Works at Triemli.", "Lives in Basel.")), expected=FIRST)
    known.restore(LENA, 1)
    known.world.clock.advance(1)
    stated(known, "Works at Triemli.")
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert "Works at Triemli." in stands(known)


@pytest.mark.parametrize("by", ["restore", "replace"])
def test_what_follows_a_change_takes_facts_out_that_were_out_of_reach(known: House, by: str) -> None:
    known.edit(LENA, Bullets(identity=("Works at Triemli.", "Lives in Basel.")), expected=FIRST)
    stated(known, "Works at Triemli.")
    change = failing_once(known)
    file = Bullets(identity=("Lives in Basel.",))
    changes: dict[str, Callable[[], object]] = {
        "restore": lambda: known.restore(LENA, 1),
        "replace": lambda: known.bring(LENA, file, Mode.REPLACE, expected=frozenset({(0, 2)})),
    }
    with pytest.raises(StoreUnavailable):
        changes[by]()
    assert "Works at Triemli." in stands(known)
    change()
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert set(stands(known)) == {"Lives in Basel.", "Likes Basel."}


def failing_once(house: House) -> Callable[[], None]:
    """Let no fact be changed until what this returns is called."""

    def strike(step: str) -> None:
        if step == "before:table.change_facts":
            raise StoreUnavailable("No answer.")

    house.world.whenever(strike)
    return lambda: house.world.whenever(lambda _: None)
