from __future__ import annotations

from threading import Barrier
from time import sleep
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.telemetry import stand_in
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


def test_as_many_users_are_looked_after_at_once_as_may_be(house: House) -> None:
    told(house)
    together = Barrier(len(PEOPLE), timeout=10)

    def meet(step: str) -> None:
        if step == "before:table.state":
            together.wait()

    house.world.whenever(meet)
    healed = house.heal(at_once=len(PEOPLE))
    assert (healed.rings, healed.failures) == (len(PEOPLE), 0)


def test_of_many_users_at_once_each_is_looked_after_once_and_none_is_left_out(house: House) -> None:
    people = [UserKey("acme", f"user-{number}") for number in range(60)]
    for user in people:
        house.post("t1", "I live in Basel.", user)
    rung = house.world.doorbells._messages  # noqa: SLF001 - to see who was rung for
    before = len(rung)
    house.world.whenever(lambda step: sleep(0.001) if step == "before:payloads.stored" else None)  # others come between
    healed = house.heal(at_once=8)
    assert (healed.users, healed.rings, healed.failures) == (len(people), len(people), 0)
    assert sorted(message.doorbell.user for message in rung[before:]) == sorted(people)


def test_a_line_says_whom_it_is_about_though_others_are_looked_after_meanwhile(house: House) -> None:
    told(house)
    together = Barrier(len(PEOPLE), timeout=10)

    def meet_and_fail(step: str) -> None:
        if step == "before:table.state":
            together.wait()
            raise StoreUnavailable("The store is down.")

    house.world.whenever(meet_and_fail)
    assert house.heal(at_once=len(PEOPLE)).failures == len(PEOPLE)
    lines = [line for line in house.world.telemetry.lines if line.phrase == "could not look after a user"]
    assert sorted(str(line.fields["user"]) for line in lines) == sorted(map(stand_in, PEOPLE))
    assert "user" not in house.world.telemetry.lines[-1].fields


def test_a_round_that_ends_early_says_so_once_however_many_work(house: House) -> None:
    told(house)
    together = Barrier(2, timeout=10)

    def slow(step: str) -> None:
        if step == "after:doorbells.ring":
            together.wait()
            house.world.clock.advance(1000)
            together.wait()

    house.world.whenever(slow)
    assert house.heal(at_once=2).users == 2
    phrases = [line.phrase for line in house.world.telemetry.lines]
    assert phrases.count("a round of looking after users ended early") == 1


def test_a_company_whose_users_cannot_be_listed_costs_no_other_company_its_round(house: House) -> None:
    for company_id in ("acme", "other", "third"):
        house.post("t1", "I live in Basel.", UserKey(company_id, "lena"))
    failed: list[str] = []

    def down(step: str) -> None:
        if step == "before:directory.users_with_turns" and not failed:
            failed.append(step)
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    healed = house.heal()
    assert (healed.rings, healed.failures) == (2, 1)
    assert [line.fields for line in house.world.telemetry.lines if line.phrase == "could not look after a company"] == [
        {"error_type": "StoreUnavailable"}
    ]


def test_a_round_that_could_look_after_hardly_anybody_does_not_say_that_nobody_waits(house: House) -> None:
    told(house)

    def down(step: str) -> None:
        if step == "before:table.state":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    assert house.heal().failures == len(PEOPLE)
    assert [one for one in house.world.telemetry.counts if one.metric == "open_turn_age_seconds"] == []


def test_of_a_user_with_many_open_turns_no_turn_is_read(house: House) -> None:
    for number in range(20):
        house.post(f"t{number}", "I live in Basel.")
    reads: list[str] = []
    house.world.whenever(reads.append)
    assert house.heal().rings == 1
    assert reads.count("before:table.turn") == 0


def test_a_directory_that_is_out_of_reach_fails_the_round(house: House) -> None:
    told(house)

    def down(step: str) -> None:
        if step == "before:directory.companies_with_turns":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        house.heal(at_once=4)
