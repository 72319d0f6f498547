from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from context_memory.application.answers import inspected_body
from context_memory.application.maintain.inspecting import MOST_TURNS
from tests.support.facts import a_fact
from tests.support.house import LENA, body
from tests.support.stored_facts import store, waiting

if TYPE_CHECKING:
    from tests.support.house import House


def inspected(house: House) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(inspected_body(house.inspect(LENA))))
    return document


def test_it_tells_what_waits_what_was_given_up_and_what_is_consolidated(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.clock.advance(1)
    house.post("t2", "I write Rust.")
    house.world.table.bury(LENA, house.record("t2"), reason="crashed")
    house.world.clock.advance(1)
    house.post("t3", "I write Go.")
    told = inspected(house)
    assert (told["memory_on"], told["erase_running"], told["version"]["turn_count"]) == (True, False, 1)
    assert told["freshness"]["consolidated_through"] is not None
    assert (told["freshness"]["pending"], told["freshness"]["failed"]) == (1, 1)
    turns = [(turn["turn_id"], turn["status"], turn["reason"], turn["attempts"]) for turn in told["turns"]]
    assert turns == [("t2", "dead", "crashed", 0), ("t3", "queued", None, 0)]


def test_it_tells_how_many_facts_there_are_and_of_how_many_turns_they_are_still_to_be_learned(house: House) -> None:
    store(house.world, a_fact("Lives in Zanzibar"), a_fact("Writes Rust"))
    waiting(house.world, "t1")
    house.world.facts.bury(LENA, waiting(house.world, "t2"), "TypeError")
    told = inspected(house)
    assert told["facts"] == {"count": 2, "pending": 1, "failed": 1}
    assert "Zanzibar" not in json.dumps(told)


def test_nothing_that_the_user_said_is_told(house: House) -> None:
    house.learns(body(identity=["Lives in Zanzibar."]))
    house.post("t1", "I live in Zanzibar.")
    house.work()
    house.post("t2", "I moved away from Zanzibar.")
    assert "Zanzibar" not in json.dumps(inspected(house))
    assert "lena" not in repr(house.world.telemetry)


def test_a_user_whom_nobody_knows_has_nothing(house: House) -> None:
    told = inspected(house)
    assert told["version"] is None
    assert told["turns"] == []
    assert told["facts"] == {"count": 0, "pending": 0, "failed": 0}
    assert told["freshness"] == {"consolidated_through": None, "pending": 0, "failed": 0}


def test_of_very_many_turns_the_oldest_are_told_and_all_are_counted(house: House) -> None:
    for number in range(MOST_TURNS + 5):
        house.post(f"t{number}", "I write Rust.")
        house.world.clock.advance(1)
    told = inspected(house)
    assert [turn["turn_id"] for turn in told["turns"]] == [f"t{number}" for number in range(MOST_TURNS)]
    assert told["freshness"]["pending"] == MOST_TURNS + 5
