from __future__ import annotations

import pytest

from context_memory.application.maintain.redriving import Redriven
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.turn import MAX_ATTEMPTS
from tests.support.house import LENA, House, body

MAX = UserKey("acme", "max")


class OurOwnBug(Exception):
    pass


def answered(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script(
        "consolidation",
        lambda asked: body(skills=[f"Writes {name}." for name in ("Go", "Rust") if name in str(asked.body)]),
    )
    house.model.script("scrub", lambda _: "CLEAN")


def poisoned(house: House, turn_id: str) -> None:
    """Make our code fail on one turn, wherever it runs."""
    sha = house.record(turn_id).payload_sha256

    def fail(step: str) -> None:
        if step in {"before:profiles.latest", "before:profiles.put"}:
            running = [t for t in house.world.table.state(LENA).waiting if t.turn_id == turn_id]
            if running and house.record(turn_id).status is TurnStatus.RUNNING:
                raise OurOwnBug(f"canary {sha}")

    house.world.whenever(fail)


def test_a_turn_that_makes_us_fail_five_times_is_dead_and_the_next_ones_go_on(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    poisoned(house, "t1")
    for _ in range(MAX_ATTEMPTS + 1):
        house.work()
        house.world.clock.advance(1000)
    record = house.record("t1")
    assert (record.status, record.outcome, record.reason, record.attempts) == (TurnStatus.DEAD, None, "crashed", 5)
    assert house.world.doorbells.dead == [(LENA, "t1", "crashed")]
    assert house.load().state.failed == 1
    assert house.load().state.waiting == ()

    house.post("t2", "I write Go.")
    house.work()
    assert house.record("t2").outcome is Outcome.UPDATED
    assert "Writes Go." in house.memory()
    assert "canary" not in repr(house.world.telemetry)

    house.world.whenever(lambda _: None)
    house.redrive(LENA, "t1")
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert house.load().state.failed == 0


def test_a_poison_turn_blocks_nobody_else(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    poisoned(house, "t1")
    house.post("t1", "I write Go.", MAX)
    house.work()
    assert "Writes Go." in house.memory(MAX)


def test_a_turn_beside_a_poison_turn_is_stored_once_they_run_apart(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    house.world.clock.advance(1)
    house.post("t2", "I write Go.")
    poisoned(house, "t1")
    for _ in range(MAX_ATTEMPTS + 2):
        house.work()
        house.world.clock.advance(1000)
    assert house.record("t1").status is TurnStatus.DEAD
    assert house.record("t2").outcome is Outcome.UPDATED


def test_only_a_dead_turn_is_redriven_and_any_other_is_said_to_be_where_it_is(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    before = house.record("t1")
    assert house.redrive(LENA, "t1") == Redriven(redriven=0, status=TurnStatus.QUEUED)
    assert house.record("t1") == before
    house.work()
    assert house.redrive(LENA, "t1") == Redriven(redriven=0, status=TurnStatus.DONE)
    assert house.redrive(LENA, "unknown") == Redriven(redriven=0, status=None)
    assert house.world.doorbells.receive() is None


def test_a_redrive_that_ended_before_its_ring_rings_when_it_is_done_again(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    house.work()
    house.post("t2", "I write Go.")
    record = house.record("t2")
    delivery = house.world.doorbells.receive()
    assert delivery is not None
    house.world.doorbells.acknowledge(delivery.receipt)
    house.world.table.bury(LENA, record, reason="crashed")

    def down(step: str) -> None:
        if step == "before:doorbells.ring":
            raise StoreUnavailable("The queue is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        house.redrive(LENA, "t2")
    house.world.whenever(lambda _: None)
    assert house.redrive(LENA, "t2") == Redriven(redriven=0, status=TurnStatus.QUEUED)
    house.work()
    assert house.record("t2").outcome is Outcome.UPDATED


def test_a_turn_never_gets_more_than_its_share_of_calls() -> None:
    with House(calls_per_chain=2, calls_per_turn=4) as house:
        house.model.script("gate", lambda _: "UPDATE")
        house.model.script("consolidation", lambda _: "no profile at all")
        house.post("t1", "I write Rust.")
        house.work()
        for _ in range(3):
            house.world.clock.advance(1000)
            house.work()
        record = house.record("t1")
        assert (record.status, record.reason) == (TurnStatus.DEAD, "call_budget")
        assert record.calls == 4
        assert len(house.model.asked()) == 4
        assert house.world.doorbells.dead == [(LENA, "t1", "call_budget")]


def unreadable(house: House, turn_id: str) -> None:
    """Replace what was said in a turn by something that is no turn."""
    sha = house.record(turn_id).payload_sha256
    house.world.payloads.put(LENA, turn_id, sha, b'{"canary": "Zanzibar"}')


def test_a_turn_that_cannot_even_be_read_is_dead_after_five_attempts_and_blocks_nobody(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    unreadable(house, "t1")
    house.world.clock.advance(1)
    house.post("t2", "I write Go.")
    for _ in range(MAX_ATTEMPTS + 2):
        house.work()
        house.world.clock.advance(1000)
    assert (house.record("t1").status, house.record("t1").attempts) == (TurnStatus.DEAD, MAX_ATTEMPTS)
    assert house.record("t2").outcome is Outcome.UPDATED
    assert "Zanzibar" not in repr(house.world.telemetry)


def test_a_dead_letter_is_sent_even_if_the_first_try_fails(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    unreadable(house, "t1")
    refused: list[str] = []

    def refuse(step: str) -> None:
        if step == "before:doorbells.report_dead" and not refused:
            refused.append(step)
            raise StoreUnavailable("The queue is down.")

    house.world.whenever(refuse)
    for _ in range(MAX_ATTEMPTS + 3):
        house.work()
        house.world.clock.advance(1000)
    assert refused
    assert house.record("t1").status is TurnStatus.DEAD
    assert house.world.doorbells.dead == [(LENA, "t1", "crashed")]


def test_a_payload_of_a_release_that_knows_more_fields_is_read(house: House) -> None:
    answered(house)
    house.post("t1", "I write Rust.")
    record = house.record("t1")
    said = house.world.payloads.get(LENA, "t1", record.payload_sha256)
    assert said is not None
    newer = said.replace(b'{"messages"', b'{"a_field_of_tomorrow": "p", "messages"')
    house.world.payloads.put(LENA, "t1", record.payload_sha256, newer)
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED


def test_whatever_a_doorbell_brings_about_ends_at_the_edge_without_a_message(house: House) -> None:
    house.post("t1", "I write Rust.")

    def fail(step: str) -> None:
        if step == "before:table.state":
            raise OurOwnBug("canary")

    house.world.whenever(fail)
    delivery = house.world.doorbells.receive()
    assert delivery is not None
    done = house.answer(LENA, receipt=delivery.receipt, received=delivery.received, seconds=600)
    assert not done
    assert "canary" not in repr(house.world.telemetry)
