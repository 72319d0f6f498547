from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.outcomes import Outcome
from tests.support import scripted_answers as says
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


def test_what_was_edited_twice_does_not_come_back_in_its_first_words(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.clock.advance(60)
    house.learns(body(identity=["Lives in Bern."]))
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.work()
    assert house.memory() == body(identity=["Lives in Bern."])
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t3", "How is the weather?", supersedes_turn_id="t2")
    house.work()
    assert house.memory() in {"", body()}


def test_what_was_edited_twice_is_taken_back_through_the_turn_that_never_ran(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t0", "I write Rust.")
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.world.clock.advance(1)
    house.post("t3", "How is the weather?", supersedes_turn_id="t2")
    house.work()
    assert house.record("t2").outcome is Outcome.DROPPED_SUPERSEDED
    assert house.memory() == body(skills=["Writes Rust."])


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


def test_a_superseding_turn_that_is_malformed_changes_nothing(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "rubbish", "rubbish")
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.work()
    assert house.record("t2").outcome is Outcome.MALFORMED
    assert house.memory() == body(identity=["Lives in Basel."])


def test_of_two_turns_that_supersede_each_other_the_later_one_runs(house: House) -> None:
    house.post("t1", "I live in Basel.", supersedes_turn_id="t2")
    house.world.clock.advance(1)
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.learns(body(identity=["Lives in Bern."]))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_SUPERSEDED
    assert house.record("t2").outcome is Outcome.UPDATED


def test_a_replaced_turn_that_arrives_behind_its_replacement_is_dropped(house: House) -> None:
    house.post("t2", "I live in Bern.", supersedes_turn_id="t1")
    house.world.clock.advance(1)
    house.post("t1", "I live in Basel.")
    house.learns(body(identity=["Lives in Bern."]))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_SUPERSEDED
    assert house.memory() == body(identity=["Lives in Bern."])


def test_what_was_forgotten_stays_forgotten_when_the_message_that_asked_is_edited(house: House) -> None:
    house.learns(body(identity=["Lives in Bern.", "Is vegetarian."]))
    house.post("t1", "I live in Bern and am vegetarian.")
    house.work()
    house.world.clock.advance(60)
    house.learns("FORGET\n\n" + body(identity=["Lives in Bern."]), gate="FORGET")
    house.post("t2", "Forget that I am vegetarian.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t3", "Hi!", supersedes_turn_id="t2")
    house.work()
    assert house.memory() == body(identity=["Lives in Bern."])


def test_what_was_forgotten_is_known_in_other_words(house: House) -> None:
    earlier = house.world.clock.now() - timedelta(days=30)
    house.learns(body(identity=["Is vegetarian."]))
    house.post("t1", "I am vegetarian.")
    house.work()
    house.world.clock.advance(60)
    house.learns("FORGET\n\n" + body(), gate="FORGET")
    house.post("t2", "Forget that I am vegetarian.")
    house.work()
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=["Vegetarian."]))
    house.post("t3", "I am vegetarian.", occurred_at=earlier)
    house.work()
    assert house.memory() in {"", body()}


def test_a_masked_number_does_not_come_back_with_a_superseded_turn(house: House) -> None:
    iban = "CH93 0076 2011 6238 5295 7"
    house.world.switches.companies["acme"] = CompanyFlags(
        context_memory=True, context_memory_with_web_search=True, legacy=True
    )
    house.world.profiles.legacy_files[LENA] = body(work=[f"Salary goes to {iban}."]).encode()
    house.learns(body(work=[f"Salary goes to {iban}."], skills=["Writes Rust."]))
    house.post("t1", "I write Rust.")
    house.work()
    assert iban not in house.memory()
    revision = house.world.table.revision(LENA, 0, 1)
    assert iban not in repr(revision)
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t2", "Hi!", supersedes_turn_id="t1")
    house.work()
    assert "Rust" not in house.memory()
    assert iban not in house.memory()


def test_a_rejected_turn_counts_as_seen(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: says.refusal())
    house.post("t1", "I live in Bern.")
    house.work()
    assert house.record("t1").outcome is Outcome.MODEL_REJECTED
    assert house.load().state.consolidated_through == house.world.clock.now()


def test_a_turn_that_became_late_while_it_ran_overwrites_nothing(house: House) -> None:
    """It loses the race against a newer turn; when it runs again, it is the older one."""
    earlier = house.world.clock.now() - timedelta(days=1)
    house.learns(body(identity=["Lives in Graz."]))
    house.post("t0", "I live in Graz.", occurred_at=earlier - timedelta(days=1))
    house.work()
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script(
        "consolidation", lambda asked: body(identity=["Lives in Bern." if "t2" in asked.turns else "Lives in Basel."])
    )
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I moved from Graz to Basel.", occurred_at=earlier)

    def overtake(step: str) -> None:
        if step == "before:profiles.put":
            house.world.whenever(lambda _: None)
            house.post("t2", "I moved from Graz to Bern.")
            record = house.record("t2")
            gathered = house.consolidate.gathering
            state = house.world.table.state(LENA)
            only = replace(state, open_turns=tuple(t for t in state.open_turns if t.turn_id == record.turn_id))
            group = gathered.next_group(LENA, only, house.world.switches.flags("acme"))
            assert isinstance(group, tuple)
            house.run(LENA, group, Deadline.within(house.world.clock, 500))

    house.world.whenever(overtake)
    house.work()
    assert house.record("t1").outcome is not None
    assert "Lives in Bern." in house.memory()


def test_what_was_forgotten_since_does_not_come_back_with_a_superseded_turn(house: House) -> None:
    def turn(turn_id: str, said: str, answer: str, gate: str = "UPDATE", **fields: Any) -> None:  # noqa: ANN401 - any JSON
        house.world.clock.advance(60)
        house.model.queue("gate", gate)
        if gate != "NOOP":
            house.model.queue("consolidation", answer)
        house.post(turn_id, said, **fields)
        house.model.script("scrub", lambda _: "CLEAN")
        house.work()

    rex, none = body(identity=["Lives in Bern.", "Has a dog named Rex."]), body(identity=["Lives in Bern."])
    turn("t0", "I live in Bern and have a dog named Rex.", rex)
    turn("t1", "Rex, the dog, is gone.", none)
    turn("t2", "I have a dog named Rex after all.", rex)
    turn("t3", "Forget my dog Rex.", "FORGET\n\n" + none, gate="FORGET")
    assert house.record("t3").outcome is Outcome.FORGOTTEN
    turn("t4", "Hello!", "", gate="NOOP", supersedes_turn_id="t1")
    assert house.memory() == none


def test_taking_back_under_a_new_policy_scrubs_the_whole_profile(house: House) -> None:
    house.learns(body(identity=["Lives in Bern."], skills=["Writes Rust."]))
    house.post("t1", "I live in Bern and write Rust.")
    house.work()
    items = house.world.table._users[LENA]  # noqa: SLF001 - as an older release left it
    assert items.profile is not None
    items.profile = replace(items.profile, policy_version="0")
    house.world.clock.advance(60)
    house.learns(body(identity=["Lives in Bern."], skills=["Writes Rust."], work=["Leads a team."]))
    house.post("t2", "I lead a team.")
    house.work()
    assert items.profile.policy_version != "0"
    items.profile = replace(items.profile, policy_version="0")
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.model.queue("scrub", "1 DROP")
    house.post("t3", "Hello!", supersedes_turn_id="t2")
    house.work()
    assert house.memory() == body(skills=["Writes Rust."])
