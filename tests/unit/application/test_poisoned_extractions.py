"""An extraction that makes our code fail is given up, in nobody's way, and an operator gives it another life."""

from __future__ import annotations

import json

import pytest

from context_memory.application.maintain.redriving import Redriven
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.outcomes import TurnStatus
from context_memory.domain.turn import MAX_ATTEMPTS
from tests.support.house import LENA, House

CANOE: dict[str, object] = {
    "op": "add",
    "id": None,
    "text": "Owns a canoe.",
    "tier": "core",
    "keywords": [],
    "quote": "I own a canoe",
}


class OurOwnBug(Exception):
    pass


def texts(house: House) -> list[str]:
    return [fact.text for fact in house.world.facts.facts(LENA, UserScope(LENA)).facts]


@pytest.fixture
def given_up(house: House) -> House:
    """A turn that ended for the profile, and whose extraction has failed as often as it may."""
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script("extraction", lambda _: json.dumps({"facts": [CANOE]}))
    house.post("t1", "I own a canoe.")
    house.consolidate_all()

    def fail(step: str) -> None:
        if step == "before:table.facts":
            raise OurOwnBug("I own a canoe.")

    house.world.whenever(fail)
    for _ in range(MAX_ATTEMPTS + 1):
        house.extract_all()
        house.world.clock.advance(1000)
    house.world.whenever(lambda _: None)
    return house


def test_a_round_of_maintain_counts_it_until_it_is_redriven(given_up: House) -> None:
    def told() -> list[float]:
        return [one.value for one in given_up.world.telemetry.counts if one.metric == "dead_extractions"]

    given_up.heal()
    assert told() == [1]
    assert [one.value for one in given_up.world.telemetry.counts if one.metric == "dead_turns"] == [0]
    given_up.redrive(LENA, "t1")
    given_up.heal()
    assert told() == [1, 0]


def test_it_is_dead_after_its_attempts_and_keeps_what_was_said(given_up: House) -> None:
    (pending,) = given_up.world.facts.pending(LENA)
    assert (pending.dead, pending.reason, pending.attempts) == (True, "crashed", MAX_ATTEMPTS)
    record = given_up.record("t1")
    assert (record.status, record.facts_outcome, record.final) == (TurnStatus.DONE, FactsOutcome.DEAD, False)
    assert given_up.world.facts_doorbells.dead == [(LENA, "t1", "crashed")]
    assert len(given_up.world.payloads.stored(LENA)) == 1
    assert given_up.world.telemetry.total("writeback_total", outcome="dead") == 1
    assert "canoe" not in str(given_up.world.telemetry.lines)


def test_another_life_stores_its_facts(given_up: House) -> None:
    assert given_up.redrive(LENA, "t1") == Redriven(redriven=1, status=TurnStatus.DONE)
    given_up.extract_all()
    assert texts(given_up) == ["Owns a canoe."]
    assert given_up.record("t1").facts_outcome is FactsOutcome.STORED
    assert given_up.world.payloads.stored(LENA) == []


def test_a_redrive_that_ended_before_its_ring_rings_when_it_is_done_again(given_up: House) -> None:
    def down(step: str) -> None:
        if step.endswith("doorbells.ring"):
            raise StoreUnavailable("The queue is down.")

    given_up.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        given_up.redrive(LENA, "t1")
    given_up.world.whenever(lambda _: None)
    assert given_up.redrive(LENA, "t1") == Redriven(redriven=0, status=TurnStatus.DONE)
    given_up.extract_all()
    assert texts(given_up) == ["Owns a canoe."]


def test_what_has_ended_is_not_redriven(given_up: House) -> None:
    given_up.redrive(LENA, "t1")
    given_up.extract_all()
    assert given_up.redrive(LENA, "t1") == Redriven(redriven=0, status=TurnStatus.DONE)
    assert given_up.world.facts_doorbells.receive() is None


def test_later_turns_do_not_wait_for_it(given_up: House) -> None:
    given_up.model.script("extraction", lambda _: json.dumps({"facts": [CANOE | {"text": "Owns a raft."}]}))
    given_up.post("t2", "I own a canoe, and a raft.")
    given_up.work()
    assert texts(given_up) == ["Owns a raft."]
