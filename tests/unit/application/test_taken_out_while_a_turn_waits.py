"""Whoever takes something out of their memory does not get it back from a turn that was accepted before."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.editing.importing import Mode
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.profile import Bullets
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, House, body
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

SAID = "I live in Basel and write Rust."
RUST, BASEL = "Writes Rust.", "Lives in Basel."


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory and facts say where she lives, and models hear so again in whatever she says."""
    house.edit(LENA, Bullets(identity=(BASEL,)), expected=frozenset({(0, 0)}))
    now = house.world.clock.now()
    put(house, a_fact(BASEL, created_at=now, last_confirmed_at=now))
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: body(identity=[BASEL], skills=[RUST]))
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script("extraction", lambda _: extracted(("live in Basel", BASEL), ("write Rust", RUST)))
    house.world.clock.advance(60)
    return house


def extracted(*facts: tuple[str, str]) -> str:
    """An answer that adds facts, each with the user's words."""
    rest: dict[str, object] = {"op": "add", "id": None, "tier": None, "keywords": []}
    return json.dumps({"facts": [rest | {"text": text, "quote": quote} for quote, text in facts]})


def edited_away(house: House) -> None:
    house.edit(LENA, Bullets(), expected=frozenset({(0, 1)}))


def changed(house: House) -> None:
    house.edit(LENA, Bullets(identity=("Lives in Bern.",)), expected=frozenset({(0, 1)}))


def imported_over(house: House) -> None:
    house.bring(LENA, Bullets(identity=("Keeps bees.",)), Mode.REPLACE, expected=frozenset({(0, 1)}))


def fact_deleted(house: House) -> None:
    (fact,) = (one for text, one in stands(house).items() if text == BASEL)
    assert ask(house, "DELETE /v1/me/facts/{fact_id}", path={"fact_id": fact.id}).status == 204
    edited_away(house)


@pytest.mark.parametrize("take_out", [edited_away, changed, fact_deleted])
@pytest.mark.parametrize("ahead", [0, 240])
def test_a_turn_that_waits_for_the_memory_does_not_bring_it_back(
    known: House, take_out: Callable[[House], None], ahead: int
) -> None:
    known.post("t1", SAID, occurred_at=known.world.clock.now() + timedelta(seconds=ahead))
    known.world.clock.advance(1)
    take_out(known)
    known.work()
    assert "Basel" not in known.memory()
    assert RUST in known.memory()
    assert BASEL not in stands(known)
    assert RUST in stands(known)


@pytest.mark.parametrize("take_out", [edited_away, changed, fact_deleted])
@pytest.mark.parametrize("ahead", [0, 240])
def test_a_turn_that_waits_for_its_facts_does_not_bring_it_back(
    known: House, take_out: Callable[[House], None], ahead: int
) -> None:
    known.model.script("consolidation", lambda _: "NOOP")
    known.post("t1", SAID, occurred_at=known.world.clock.now() + timedelta(seconds=ahead))
    known.consolidate_all()
    known.world.clock.advance(1)
    take_out(known)
    known.extract_all()
    assert set(stands(known)) == {RUST}
    assert known.record("t1").facts_outcome is FactsOutcome.STORED


@pytest.mark.parametrize("take_out", [edited_away, changed, fact_deleted])
def test_what_is_said_after_that_is_learned(known: House, take_out: Callable[[House], None]) -> None:
    take_out(known)
    known.world.clock.advance(60)
    known.post("t1", SAID)
    known.work()
    assert BASEL in known.memory()
    assert BASEL in stands(known)


@pytest.mark.parametrize("wording", ["Is living in Basel.", "lives in  Basel"])
def test_other_words_do_not_bring_it_back_either(known: House, wording: str) -> None:
    known.model.script("consolidation", lambda _: body(identity=[wording], skills=[RUST]))
    known.model.script("extraction", lambda _: extracted(("live in Basel", wording), ("write Rust", RUST)))
    known.post("t1", SAID)
    known.world.clock.advance(1)
    edited_away(known)
    known.work()
    assert "Basel" not in known.memory()
    assert set(stands(known)) == {RUST}


def test_neither_does_a_part_of_a_bullet_that_said_more(known: House) -> None:
    known.edit(LENA, Bullets(identity=("Works as a nurse and lives in Basel.",)), expected=frozenset({(0, 1)}))
    known.post("t1", SAID)
    known.world.clock.advance(1)
    known.edit(LENA, Bullets(identity=("Works as a nurse.",)), expected=frozenset({(0, 2)}))
    known.work()
    assert "Basel" not in known.memory()
    assert set(stands(known)) == {RUST}


def test_what_a_file_or_an_undoing_took_the_place_of_stays_out(known: House) -> None:
    known.post("t1", SAID)
    known.world.clock.advance(1)
    imported_over(known)
    known.work()
    assert "Basel" not in known.memory()
    known.world.clock.advance(60)
    known.post("t2", SAID)
    known.consolidate_all()
    assert BASEL in known.memory()
    known.post("t3", SAID)
    known.world.clock.advance(1)
    known.restore(LENA, 2)
    known.work()
    assert "Basel" not in known.memory()


def test_of_turns_that_run_together_only_those_after_it_teach_it(known: House) -> None:
    known.post("t1", SAID)
    known.world.clock.advance(1)
    edited_away(known)
    known.world.clock.advance(1)
    known.post("t2", "The weather is fine.")
    known.work()
    assert "Basel" not in known.memory()
    known.post("t3", "It rains.")
    known.world.clock.advance(1)
    known.post("t4", "I do live in Basel, as I said.")
    known.work()
    assert BASEL in known.memory()


@pytest.mark.parametrize("take_out", [edited_away, changed])
def test_an_edit_while_the_model_answers_counts(known: House, take_out: Callable[[House], None]) -> None:
    known.post("t1", SAID)

    def strike(step: str) -> None:
        if step == "before:table.settle":
            known.world.whenever(lambda _: None)
            known.world.clock.advance(1)
            take_out(known)

    known.world.whenever(strike)
    known.work()
    assert "Basel" not in known.memory()
    assert RUST in known.memory()


def test_a_fact_that_is_deleted_while_the_model_answers_becomes_no_bullet(known: House) -> None:
    edited_away(known)
    now = known.world.clock.now()
    put(known, a_fact(BASEL, created_at=now, last_confirmed_at=now))
    known.world.clock.advance(1)
    known.post("t1", SAID)

    def scrubbed(_: object) -> str:
        known.world.clock.advance(1)
        known.model.script("scrub", lambda _: "CLEAN")
        (fact,) = stands(known).values()
        ask(known, "DELETE /v1/me/facts/{fact_id}", path={"fact_id": fact.id})
        return "CLEAN"

    known.model.script("scrub", scrubbed)
    known.work()
    assert "Basel" not in known.memory()
    assert RUST in known.memory()
    assert set(stands(known)) == {RUST}
