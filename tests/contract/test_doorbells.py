from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.ids import UserKey
from context_memory.ports.queues import Doorbell
from tests.support.records import LENA, turn_record

if TYPE_CHECKING:
    from tests.support.stores import Stores

AWKWARD = UserKey("acme", "ü" * 30)


def test_a_ring_arrives_with_the_users_own_ids(stores: Stores) -> None:
    stores.doorbells.ring(Doorbell(AWKWARD, "turn-1|0"))
    assert stores.rung() == [(AWKWARD, "turns")]


def test_rings_for_one_reason_are_one_message(stores: Stores) -> None:
    for _ in range(3):
        stores.doorbells.ring(Doorbell(LENA, "turn-1|0"))
    assert stores.rung() == [(LENA, "turns")]


def test_another_reason_is_another_message(stores: Stores) -> None:
    stores.doorbells.ring(Doorbell(LENA, "turn-1|0"))
    stores.doorbells.ring(Doorbell(LENA, "turn-1|1"))
    assert stores.rung() == [(LENA, "turns"), (LENA, "turns")]


def test_one_users_reason_does_not_silence_another_user(stores: Stores) -> None:
    for user in (LENA, AWKWARD):
        stores.doorbells.ring(Doorbell(user, "slot-1"))
    assert sorted(stores.rung()) == sorted([(LENA, "turns"), (AWKWARD, "turns")])


def test_a_dead_turn_is_reported_once_with_ids_and_reason(stores: Stores) -> None:
    for _ in range(2):
        stores.doorbells.report_dead(AWKWARD, turn_record("turn/1"), "call_budget")
    assert stores.dead() == [(AWKWARD, "turn/1", "call_budget")]
    assert stores.rung() == []


def test_a_turn_that_dies_again_in_another_life_is_reported_again(stores: Stores) -> None:
    for life in (turn_record(), turn_record(ring=1), turn_record(epoch=1)):
        stores.doorbells.report_dead(LENA, life, "crashed")
    assert stores.dead() == [(LENA, "turn-1", "crashed")] * 3
