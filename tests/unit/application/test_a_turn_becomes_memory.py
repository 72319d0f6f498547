from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import TooManyOpenTurns, TurnConflict
from context_memory.domain.ids import UserKey
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import OPEN_TURNS_LIMIT
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Callable

BASEL = body(identity=["Lives in Basel."])


def test_what_a_user_says_is_loaded_by_the_next_chat(house: House) -> None:
    house.learns(BASEL)
    assert house.post("t1", "I live in Basel.") is None
    house.work()
    loaded = house.load()
    assert loaded.view is not None
    assert loaded.view.memory == BASEL
    assert loaded.view.prompt is not None
    assert "- Lives in Basel." in loaded.view.prompt
    record = house.record("t1")
    assert (record.status, record.outcome, record.revision) == (TurnStatus.DONE, Outcome.UPDATED, 1)
    assert [usage.purpose for usage in record.usage] == ["gate", "consolidation", "scrub", "extraction"]


def test_a_second_turn_changes_one_bullet_and_counts_one(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t1", "I live in Basel and write Rust.")
    house.work()
    house.learns(body(identity=["Lives in Bern."], skills=["Writes Rust."]))
    house.world.clock.advance(60)
    house.post("t2", "I moved from Basel to Bern.")
    house.work()
    loaded = house.load()
    assert loaded.pointer is not None
    assert loaded.pointer.turn_count == 2
    assert house.memory() == body(identity=["Lives in Bern."], skills=["Writes Rust."])
    revision = house.world.table.revision(LENA, 0, 2)
    assert revision is not None
    (operation,) = revision.operations
    assert (operation.before, operation.after) == ("Lives in Basel.", "Lives in Bern.")
    assert operation.turn_id == "t2"


def test_a_noop_of_the_gate_is_one_call_and_stores_nothing(house: House) -> None:
    house.model.queue("gate", "NOOP")
    house.post("t1", "Good morning!")
    house.work()
    assert house.record("t1").outcome is Outcome.NOOP
    assert len(house.model.asked()) == 1
    assert house.world.table.state(LENA).profile is None


def test_a_new_user_whose_chain_changes_nothing_gets_no_file(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body())
    house.post("t1", "Tell me something about Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.UNCHANGED
    assert house.world.profiles.versions(LENA) == []
    assert house.load().view is None


def test_the_same_turn_posted_three_times_and_rung_twice_is_one_change(house: House) -> None:
    house.learns(BASEL)
    for _ in range(3):
        assert house.post("t1", "I live in Basel.", occurred_at="2026-01-05T09:30:00Z") is None
    house.work()
    house.world.clock.advance(700)
    assert house.post("t1", "I live in Basel.", occurred_at="2026-01-05T09:30:00Z") is None
    house.work()
    house.look()
    assert house.memory() == BASEL
    pointer = house.load().pointer
    assert pointer is not None
    assert pointer.turn_count == 1
    assert len(house.model.asked("consolidation")) == 1


def test_the_same_id_with_another_body_is_refused_and_leaves_no_text(house: House) -> None:
    house.post("t1", "I live in Basel.")
    with pytest.raises(TurnConflict):
        house.post("t1", "I live in Bern.")
    assert [sha for _, sha, _ in house.world.payloads.stored(LENA)] == [house.record("t1").payload_sha256]


def test_two_users_with_the_same_turn_id_are_both_stored(house: House) -> None:
    other = UserKey("acme", "Lena")
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    house.learns(body(identity=["Lives in Bern."]))
    house.post("t1", "I live in Bern.", other)
    house.work()
    assert "Basel" in house.memory()
    assert "Bern" in house.memory(other)
    assert "Basel" not in house.memory(other)


def test_waiting_turns_run_as_one_chain(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t1", "I live in Basel.")
    house.world.clock.advance(1)
    house.post("t2", "I write Rust.")
    house.work()
    assert len(house.model.asked("gate")) == 1
    assert house.model.asked("consolidation")[0].turns == ("t1", "t2")
    revision = house.world.table.revision(LENA, 0, 1)
    assert revision is not None
    assert {operation.after: operation.turn_id for operation in revision.operations} == {
        "Lives in Basel.": "t1",
        "Writes Rust.": "t2",
    }


def test_turns_that_fail_together_run_apart(house: House) -> None:
    house.model.queue("gate", "UPDATE", "UPDATE", "NOOP")
    house.model.queue("consolidation", "rubbish", "rubbish", BASEL)
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.world.clock.advance(1)
    house.post("t2", "Thank you!")
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert house.record("t2").outcome is Outcome.NOOP
    assert [asked.turns for asked in house.model.asked("gate")] == [("t1", "t2"), ("t1",), ("t2",)]


def test_what_was_said_is_deleted_when_its_turn_is_final(house: House) -> None:
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    assert house.world.payloads.stored(LENA)
    house.work()
    assert house.world.payloads.stored(LENA) == []


def test_doorbells_lines_and_counts_hold_nothing_that_was_said(house: House) -> None:
    house.learns(body(identity=["Lives in Canaryville 4711."]))
    house.post("t1", "I live in Canaryville 4711.")
    seen = repr([message.doorbell for message in house.world.doorbells._messages])  # noqa: SLF001 - to see all of it
    house.work()
    seen += repr(house.world.telemetry)
    seen += repr(house.world.doorbells.dead)
    assert "anaryville" not in seen
    assert "lena" not in repr(house.world.telemetry)


def test_a_memory_that_is_pasted_back_ten_times_adds_nothing(house: House) -> None:
    house.learns(BASEL)
    house.post("t0", "I live in Basel.")
    house.work()

    def echo(asked: object) -> str:
        sent = json.dumps(getattr(asked, "body"))  # noqa: B009 - any request
        assert "Lives in Basel" not in sent.split("<evidence-", 1)[1].split("</evidence-", 1)[0]
        return "NOOP"

    scripted: Callable[[object], str] = echo
    house.model.script("gate", scripted)
    for turn in range(1, 11):
        house.world.clock.advance(60)
        view = house.load().view
        assert view is not None
        house.post(f"t{turn}", f"{view.prompt}\n\nThanks, go on.")
        house.work()
        assert house.record(f"t{turn}").outcome is Outcome.NOOP
    assert house.memory() == BASEL


@pytest.mark.parametrize("by", ["the gate", "the answer"])
def test_a_wish_to_forget_is_read_by_its_own_words_and_not_by_its_neighbours(house: House, by: str) -> None:
    work = ["Leads the migration to Postgres.", "Born in May.", "Reviews every Friday."]
    house.learns(body(work=work))
    house.post("t0", "I lead the migration to Postgres, was born in May and review every Friday.")
    house.work()
    house.world.clock.advance(60)
    together, alone = ("FORGET", "FORGET") if by == "the gate" else ("UPDATE", "UPDATE")
    house.model.queue("gate", together, "NOOP", alone)
    forgetting = "FORGET\n\n" + body(work=["Reviews every Friday."])  # a model that forgets too much
    answers = [forgetting] if by == "the gate" else [forgetting, forgetting]
    house.model.queue("consolidation", *answers)
    house.post("t1", "How do I vacuum Postgres before a migration?")
    house.world.clock.advance(1)
    house.post("t2", "Please forget that I was born in May.")
    house.work()
    assert house.record("t1").outcome is Outcome.NOOP
    assert "Leads the migration to Postgres." in house.memory()
    assert "May" not in house.memory()


def test_a_turn_that_was_accepted_is_answered_the_same_after_memory_was_switched_off(house: House) -> None:
    house.model.queue("gate", "NOOP")
    at = house.world.clock.now()
    assert house.post("t1", "Good morning!", occurred_at=at) is None
    house.work()
    house.world.switches.companies["acme"] = CompanyFlags()
    assert house.post("t1", "Good morning!", occurred_at=at) is None
    assert house.post("t2", "Good evening!") == "company_off"


def test_the_two_hundred_and_first_waiting_turn_is_refused_and_leaves_nothing(house: House) -> None:
    for number in range(OPEN_TURNS_LIMIT):
        assert house.post(f"t{number}", "I live in Basel.") is None
    with pytest.raises(TooManyOpenTurns):
        house.post("one too many", "I live in Basel.")
    assert house.post("t7", "I live in Basel.") is None  # one that was accepted before is answered as before
    assert house.world.table.turn(LENA, "one too many") is None
    assert len(house.world.payloads.stored(LENA)) == OPEN_TURNS_LIMIT


def test_a_greeting_changes_nothing_of_what_is_stored_not_even_what_would_be_masked_today(house: House) -> None:
    flags = CompanyFlags(context_memory=True, context_memory_with_web_search=True, legacy=True)
    house.world.switches.companies["acme"] = flags
    house.world.profiles.legacy_files[LENA] = body(work=["Salary goes to CH93 0076 2011 6238 5295 7."]).encode()
    house.model.queue("gate", "NOOP")
    house.post("t1", "Good morning!")
    house.work()
    assert (house.record("t1").outcome, house.record("t1").revision) == (Outcome.NOOP, None)
    assert house.world.profiles.versions(LENA) == []
