from __future__ import annotations

from datetime import timedelta

from context_memory.domain.outcomes import Outcome
from tests.support.house import LENA, House, body


def test_a_waiting_turn_that_was_regenerated_is_dropped(house: House) -> None:
    house.post("t1", "I live in Basel.")
    house.world.clock.advance(1)
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.learns(body(identity=["Lives in Bern."]))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_SUPERSEDED
    assert house.memory() == body(identity=["Lives in Bern."])
    assert house.world.payloads.stored(LENA) == []


def test_what_a_regenerated_turn_had_changed_is_taken_back_first(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t0", "I live in Basel.")
    house.work()
    house.world.clock.advance(60)
    house.learns(body(identity=["Lives in Bern."], skills=["Writes Rust."]))
    house.post("t1", "I moved from Basel to Bern. I write Rust.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t2", "How far is it from Basel to Bern?", supersedes_turn_id="t1")
    house.work()
    assert house.memory() == body(identity=["Lives in Basel."])
    assert house.record("t2").outcome is Outcome.UPDATED
    assert house.record("t2").revision == 3


def test_only_the_superseded_turns_part_of_a_common_change_is_taken_back(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t0", "I live in Basel.")
    house.world.clock.advance(1)
    house.post("t1", "I write Rust.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t2", "Is Rust hard?", supersedes_turn_id="t1")
    house.work()
    assert house.memory() == body(identity=["Lives in Basel."])


def test_a_late_turn_adds_and_never_overwrites(house: House) -> None:
    earlier = house.world.clock.now() - timedelta(days=30)
    house.learns(body(identity=["Lives in Bern."]))
    house.post("t1", "I live in Bern.")
    house.work()
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t2", "I live in Basel. I write Rust.", occurred_at=earlier)
    house.work()
    assert house.memory() == body(identity=["Lives in Bern."], skills=["Writes Rust."])
    assert "older than the profile" in house.model.asked("consolidation")[1].said_by("user")
    assert house.load().state.consolidated_through == house.world.clock.now()


def test_what_was_forgotten_is_not_learned_again_from_an_older_turn(house: House) -> None:
    earlier = house.world.clock.now() - timedelta(days=30)
    house.learns(body(identity=["Lives in Bern.", "Keeps bees."]))
    house.post("t1", "I live in Bern and keep bees.")
    house.work()
    house.world.clock.advance(60)
    house.learns("FORGET\n\n" + body(identity=["Lives in Bern."]), gate="FORGET")
    house.post("t2", "Please forget that I keep bees.")
    house.work()
    assert house.record("t2").outcome is Outcome.FORGOTTEN
    assert "bees" not in house.memory()
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=["Lives in Bern.", "Keeps bees."]))
    house.post("t3", "I keep bees.", occurred_at=earlier)
    house.work()
    assert "bees" not in house.memory()
    house.world.clock.advance(60)
    house.learns(body(identity=["Lives in Bern.", "Keeps bees."]))
    house.post("t4", "I keep bees again, remember that.")
    house.work()
    assert "Keeps bees." in house.memory()
