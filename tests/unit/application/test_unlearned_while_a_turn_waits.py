"""A turn that is unlearned before anybody has read it teaches nothing; what it asks to forget is forgotten."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.outcomes import Outcome
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, House, body
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Mapping

UNLEARN = "POST /v1/me/unlearn"
BEES, RUST = "Keeps bees.", "Writes Rust."


@pytest.fixture
def waiting(house: House) -> House:
    """Lena keeps bees, and a turn waits in which she says that she writes Rust."""
    house.learns(body(identity=[BEES]))
    house.post("t0", "I keep bees.")
    house.work()
    now = house.world.clock.now()
    put(house, a_fact(BEES, created_at=now, last_confirmed_at=now))
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: body(identity=[BEES], skills=[RUST]))
    house.model.script("scrub", lambda _: "CLEAN")
    fact: dict[str, object] = {
        "op": "add",
        "id": None,
        "text": RUST,
        "tier": None,
        "keywords": [],
        "quote": "write Rust",
    }
    house.model.script("extraction", lambda _: json.dumps({"facts": [fact]}))
    house.world.clock.advance(60)
    house.post("t1", "I write Rust.", chat_id="c-1")
    return house


def unlearn(house: House, asked: Mapping[str, object]) -> None:
    version = house.world.table.state(LENA).profile
    assert version is not None
    told = ask(house, UNLEARN, asked, if_match=f'"0-{version.turn_count}"')
    assert told.status == 200


@pytest.mark.parametrize("asked", [{"turn_ids": ["t1"]}, {"chat_ids": ["c-1"]}])
def test_a_turn_that_waits_teaches_nothing_once_it_is_unlearned(waiting: House, asked: Mapping[str, object]) -> None:
    unlearn(waiting, asked)
    waiting.work()
    assert waiting.memory() == body(identity=[BEES])
    assert set(stands(waiting)) == {BEES}
    assert waiting.record("t1").final
    assert waiting.world.payloads.stored(LENA) == []


def test_one_of_another_chat_teaches(waiting: House) -> None:
    unlearn(waiting, {"chat_ids": ["c-2"]})
    waiting.work()
    assert set(stands(waiting)) == {BEES, RUST}


@pytest.mark.parametrize("moment", ["before:table.settle", "after:table.settle"])
def test_one_that_is_being_read_meanwhile_teaches_nothing_either(waiting: House, moment: str) -> None:
    def strike(step: str) -> None:
        if step == moment:
            waiting.world.whenever(lambda _: None)
            unlearn(waiting, {"turn_ids": ["t1"]})

    waiting.world.whenever(strike)
    waiting.work()
    assert waiting.memory() == body(identity=[BEES])
    assert set(stands(waiting)) == {BEES}


@pytest.mark.parametrize("moment", ["before:table.silence", "before:table.state", "after:table.turn"])
def test_one_that_ends_while_it_is_unlearned_is_taken_out(waiting: House, moment: str) -> None:
    def strike(step: str) -> None:
        if step == moment:
            waiting.world.whenever(lambda _: None)
            waiting.consolidate_all()

    waiting.world.whenever(strike)
    told = ask(waiting, UNLEARN, {"turn_ids": ["t1"]}, if_match='"0-1", "0-2"')
    assert told.status == 200
    waiting.work()
    assert waiting.memory() == body(identity=[BEES])
    assert set(stands(waiting)) == {BEES}


def test_its_wish_to_forget_holds(waiting: House) -> None:
    waiting.work()
    waiting.world.clock.advance(60)
    waiting.learns(f"FORGET\n{body(skills=[RUST, 'Reads Greek.'])}", gate="FORGET")
    waiting.post("wish", "Forget that I keep bees. I read Greek.", chat_id="c-2")
    unlearn(waiting, {"chat_ids": ["c-2"]})
    waiting.work()
    assert waiting.memory() == body(skills=[RUST])
    assert set(stands(waiting)) == {RUST}
    assert waiting.record("wish").outcome is Outcome.FORGOTTEN
    assert waiting.world.facts.pending(LENA) == []
