from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from tests.support.eraser import Eraser
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def house() -> Iterator[House]:
    with House() as house:
        yield house


def everybody(house: House) -> list[str]:
    users = house.world.directory.users("acme", after=None, limit=10, legacy=False)
    return [user.user_id for user in users]


def test_a_user_whose_turns_all_come_to_nothing_is_found_all_the_same(house: House) -> None:
    house.post("t1", "What is a covenant?")
    house.model.queue("gate", "NOOP")
    house.work()
    assert house.world.payloads.owners() == []
    assert house.memory() == ""
    assert everybody(house) == ["lena"]


def test_who_is_known_is_entered_no_more(house: House) -> None:
    house.post("t1", "I moved to Basel.")
    house.learns(body(identity=["Lives in Basel."]))
    house.work()
    entered: list[str] = []
    house.world.whenever(lambda step: entered.append(step) if step == "before:roster.enter" else None)
    house.post("t2", "I like tea.")
    assert entered == []


def test_who_comes_back_after_an_erase_is_entered_again(house: House) -> None:
    house.post("t1", "I moved to Basel.")
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    assert everybody(house) == []
    house.post("t2", "I moved to Bern.")
    assert LENA in house.world.roster.entered


def test_a_turn_of_somebody_who_cannot_be_entered_is_not_accepted(house: House) -> None:
    def down(step: str) -> None:
        if step == "before:roster.enter":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        house.post("t1", "I moved to Basel.")
    assert house.world.payloads.owners() == []
    assert house.world.table.state(LENA).open_turns == ()
