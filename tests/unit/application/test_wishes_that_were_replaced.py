"""A message that asks to forget, and is edited or unlearned: its wish holds, and nothing is learned from it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.condemnation import Condemnation
from context_memory.domain.facts.outcomes import FactsOutcome
from tests.support.facts import a_fact
from tests.support.house import LENA, PLENTY, House, body
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.scripted_model import Asked

WISH = "Forget that I own a canoe, and forget my diet. I live in Bern."


@pytest.fixture
def asked(house: House) -> House:
    """A wish that has ended for the memory and waits for its facts; models hear in it where Lena lives."""
    now = house.world.clock.now()
    put(house, *(a_fact(text, created_at=now, last_confirmed_at=now) for text in ("Owns a canoe.", "Eats no meat.")))
    house.learns(body(skills=["Owns a canoe.", "Writes Rust."]))
    house.post("t0", "I own a canoe and write Rust.")
    house.work()
    house.model.script("gate", lambda asked: "FORGET" if "Forget" in asked.said_by("user") else "NOOP")
    house.model.script("consolidation", lambda _: f"FORGET\n{body(skills=['Writes Rust.'])}")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script("extraction", extracted)
    house.world.clock.advance(60)
    house.post("wish", WISH, chat_id="c-1")
    house.consolidate_all()
    house.world.clock.advance(60)
    return house


def extracted(asked: Asked) -> str:
    """What the model makes of the wish: a fact, and a deletion that only it understands."""
    shown = asked.said_by("user").splitlines()
    number = next((line.partition(":")[0] for line in shown if line.endswith(": Eats no meat.")), None)
    rest: dict[str, object] = {"tier": None, "keywords": []}
    lives = rest | {"op": "add", "id": None, "text": "Lives in Bern.", "quote": "I live in Bern"}
    gone = rest | {"op": "delete", "id": number and int(number), "text": None, "quote": "my diet"}
    return json.dumps({"facts": [lives, gone] if number else [lives]})


def edited(house: House) -> None:
    house.post("t2", "What a day!", supersedes_turn_id="wish")
    house.consolidate_all()


def unlearned(house: House) -> None:
    house.rewrite_facts.unlearn(LENA, Condemnation(chat_ids=frozenset({"c-1"})))


@pytest.mark.parametrize("take_back", [edited, unlearned])
def test_what_it_asks_to_forget_is_forgotten_and_what_it_says_is_not_learned(
    asked: House, take_back: Callable[[House], None]
) -> None:
    take_back(asked)
    asked.work()
    assert stands(asked) == {}
    assert asked.memory() == body(skills=["Writes Rust."])
    assert asked.record("wish").facts_outcome is FactsOutcome.STORED
    assert asked.world.facts.pending(LENA) == []


def test_an_untouched_wish_teaches(asked: House) -> None:
    asked.work()
    assert set(stands(asked)) == {"Lives in Bern."}


@pytest.mark.parametrize("take_back", [edited, unlearned])
@pytest.mark.parametrize("moment", ["before:table.change_facts", "after:table.change_facts"])
def test_neither_does_it_teach_when_it_is_taken_back_while_the_model_answers(
    asked: House, take_back: Callable[[House], None], moment: str
) -> None:
    def strike(step: str) -> None:
        if step == moment:
            asked.world.whenever(lambda _: None)
            take_back(asked)

    asked.world.whenever(strike)
    asked.extract(LENA, Deadline.within(asked.world.clock, PLENTY))
    asked.work()
    assert stands(asked) == {}
    assert asked.world.facts.pending(LENA) == []


def test_what_was_forgotten_stays_so_when_its_facts_were_extracted_before_the_edit(asked: House) -> None:
    asked.work()
    edited(asked)
    asked.work()
    assert stands(asked) == {}
    assert asked.memory() == body(skills=["Writes Rust."])


def test_an_older_turn_is_held_against_it_all_the_same(asked: House) -> None:
    earlier = asked.record("wish").occurred_at.replace(hour=1)
    asked.model.script("gate", lambda asked: "NOOP" if "What a day" in asked.said_by("user") else "UPDATE")
    asked.model.script("consolidation", lambda _: "NOOP")
    edited(asked)
    asked.post("older", "I own a kayak and the canoe.", occurred_at=earlier)
    asked.consolidate_all()
    rest: dict[str, object] = {"op": "add", "id": None, "tier": None, "keywords": []}
    owned = [
        rest | {"text": "Owns a kayak.", "quote": "own a kayak"},
        rest | {"text": "Owns the canoe.", "quote": "the canoe"},
    ]
    asked.model.script("extraction", lambda _: json.dumps({"facts": owned}))
    asked.work()
    assert set(stands(asked)) == {"Owns a kayak.", "Eats no meat."}
