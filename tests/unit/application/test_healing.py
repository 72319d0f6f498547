from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.outcomes import Outcome
from tests.support.house import House, body

if TYPE_CHECKING:
    from context_memory.application.maintain.healing import Healed

PEOPLE = [UserKey("acme", name) for name in ("ann", "bob", "cem")]


def told(house: House) -> None:
    for user in PEOPLE:
        house.post("t1", "I live in Basel.", user)


def test_every_user_with_an_open_turn_is_rung_for(house: House) -> None:
    told(house)
    healed: Healed = house.heal()
    assert (healed.users, healed.rings, healed.failures) == (3, 3, 0)


def test_one_users_fault_does_not_keep_the_others_from_being_looked_after(house: House) -> None:
    told(house)
    failed: list[str] = []

    def down(step: str) -> None:
        if step == "before:table.state" and not failed:
            failed.append(step)
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    healed = house.heal()
    house.world.whenever(lambda _: None)
    assert (healed.rings, healed.failures) == (2, 1)


def test_rounds_that_end_early_begin_elsewhere_and_neglect_nobody(house: House) -> None:
    told(house)
    first: set[UserKey] = set()

    def slow(step: str) -> None:
        if step == "after:doorbells.ring":
            house.world.clock.advance(1000)

    house.world.whenever(slow)
    rung = len(house.world.doorbells._messages)  # noqa: SLF001 - to see who was rung for
    for _ in range(6):
        assert house.heal().users == 1
        messages = house.world.doorbells._messages  # noqa: SLF001 - likewise
        first |= {message.doorbell.user for message in messages[rung:]}
    assert first == set(PEOPLE)


def test_a_payload_whose_turn_is_not_recorded_yet_stays_for_the_caller_who_tries_again(house: House) -> None:
    def die(step: str) -> None:
        if step == "before:table.accept":
            raise StoreUnavailable("The store is down.")

    at = house.world.clock.now()
    house.world.whenever(die)
    with pytest.raises(StoreUnavailable):
        house.post("t1", "I live in Basel.", occurred_at=at)
    house.world.clock.advance(7200)

    def heal_meanwhile(step: str) -> None:
        if step == "before:table.accept":
            house.world.whenever(lambda _: None)
            house.heal()

    house.world.whenever(heal_meanwhile)
    house.post("t1", "I live in Basel.", occurred_at=at)
    house.learns(body(identity=["Lives in Basel."]))
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED


def test_a_fault_that_nobody_foresaw_costs_its_user_alone(house: House) -> None:
    told(house)
    failed: list[str] = []

    def fail(step: str) -> None:
        if step == "before:payloads.stored" and not failed:
            failed.append(step)
            raise KeyError("canary")

    house.world.whenever(fail)
    healed = house.heal()
    house.world.whenever(lambda _: None)
    assert (healed.rings, healed.failures) == (2, 1)
    assert "canary" not in repr(house.world.telemetry)


def test_a_payload_that_is_still_needed_stays(house: House) -> None:
    house.post("t1", "I live in Basel.")
    house.world.clock.advance(40 * 86400)
    assert house.heal().payloads_removed == 0
