"""Lines say whom they are about, and only while they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.telemetry import stand_in
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from tests.support import scripted_answers as says
from tests.support.house import LENA

if TYPE_CHECKING:
    from tests.support.house import House

JONAS = UserKey("acme", "jonas")


def told(house: House, phrase: str) -> list[object]:
    return [line.fields.get("user") for line in house.world.telemetry.lines if line.phrase == phrase]


def test_what_a_doorbell_sets_off_is_about_its_user(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: says.refusal())
    for user in (LENA, JONAS):
        house.post("t1", "I live in Basel.", user)
        house.work()
    assert told(house, "turns ended without success") == [stand_in(LENA), stand_in(JONAS)]


def test_a_round_of_maintain_is_about_each_user_in_turn_and_then_about_nobody(house: House) -> None:
    house.post("t1", "I live in Basel.", LENA)
    house.post("t1", "I live in Bern.", JONAS)

    def fail(step: str) -> None:
        if step == "before:table.state":
            raise StoreUnavailable("DynamoDB is out of reach.")

    house.world.whenever(fail)
    assert house.heal().failures == 2
    assert set(told(house, "could not look after a user")) == {stand_in(LENA), stand_in(JONAS)}
    assert told(house, "looked after stranded turns") == [None]
