from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from tests.support.house import LENA, House

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


def test_a_payload_that_no_turn_refers_to_goes_after_an_hour(house: House) -> None:
    house.world.payloads.put(LENA, "t9", "0" * 64, b"{}")
    assert house.heal().payloads_removed == 0
    house.world.clock.advance(3700)
    assert house.heal().payloads_removed == 1
    assert house.world.payloads.stored(LENA) == []


def test_a_payload_that_is_still_needed_stays(house: House) -> None:
    house.post("t1", "I live in Basel.")
    house.world.clock.advance(40 * 86400)
    assert house.heal().payloads_removed == 0
