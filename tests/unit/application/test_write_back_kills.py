"""A process can die between any two steps of an extraction, and any answer can be lost: the right facts, once.

The same at every step for what must stop it: an erase, and the user's own switch.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from tests.support.house import LENA, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.scripted_model import Asked

SAID = {"t0": "I work at Acme.", "t1": "I left Acme and work at Globex now."}
ACME: dict[str, object] = {
    "op": "add",
    "id": None,
    "text": "Works at Acme.",
    "tier": "core",
    "keywords": [],
    "quote": "I work at Acme",
}
GLOBEX = ACME | {"op": "supersede", "id": 1, "text": "Works at Globex.", "quote": "work at Globex now"}


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def extracted(asked: Asked) -> str:
    """As a model would: Globex takes Acme's place where Acme is shown."""
    if SAID["t1"] not in asked.said_by("user"):
        return json.dumps({"facts": [ACME]})
    known = "1: Works at Acme." in asked.said_by("user")
    return json.dumps({"facts": [GLOBEX if known else GLOBEX | {"op": "add", "id": None}]})


def told(house: House) -> None:
    """The first fact is stored; the second turn has ended for the profile, and nobody has looked for its facts yet."""
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script("extraction", extracted)
    house.post("t0", SAID["t0"])
    house.work()
    house.world.clock.advance(60)
    house.post("t1", SAID["t1"])
    house.consolidate_all()


def steps() -> list[str]:
    seen: list[str] = []
    with House() as house:
        told(house)
        house.world.whenever(seen.append)
        house.extract_all()
    return seen


STEPS = list(enumerate(steps()))
EVERY_STEP = pytest.mark.parametrize(("number", "step"), STEPS, ids=[f"{number}-{step}" for number, step in STEPS])


def at_step(number: int, happens: Callable[[str], None]) -> Callable[[str], None]:
    """A hook by which something happens at one step."""
    taken = iter(range(10_000))

    def hook(name: str) -> None:
        if next(taken) == number:
            happens(name)

    return hook


def recover(house: House) -> None:
    house.world.whenever(lambda _: None)
    house.restart()
    for _ in range(3):
        house.world.clock.advance(2000)
        house.heal()
        house.work()


def texts(house: House) -> list[str]:
    return [fact.text for fact in house.world.facts.facts(LENA, UserScope(LENA)).facts]


def assert_right(house: House) -> None:
    (fact,) = house.world.facts.facts(LENA, UserScope(LENA)).facts
    assert fact.text == "Works at Globex."
    assert [past.text for past in fact.supersedes] == ["Works at Acme."]
    assert house.record("t1").facts_outcome is FactsOutcome.STORED
    assert house.world.facts.pending(LENA) == []
    house.world.clock.advance(4000)
    house.heal()
    assert house.world.payloads.stored(LENA) == []


@EVERY_STEP
def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(number: int, step: str) -> None:
    with House() as house:
        told(house)

        def kill(name: str) -> None:
            assert name == step
            raise Killed

        house.world.whenever(at_step(number, kill))
        with pytest.raises(Killed):
            house.extract_all()
        recover(house)
        assert_right(house)


@EVERY_STEP
def test_a_lost_answer_at_any_step_loses_nothing_and_costs_no_attempt(number: int, step: str) -> None:
    with House() as house:
        told(house)
        attempts: list[int] = []

        def lose(name: str) -> None:
            assert name == step
            raise StoreUnavailable("The answer was lost.")

        house.world.whenever(at_step(number, lose))
        house.extract_all()
        house.world.whenever(lambda _: None)
        attempts += [one.attempts for one in house.world.facts.pending(LENA)]
        recover(house)
        assert_right(house)
        assert set(attempts) <= {0}


@EVERY_STEP
def test_an_erase_at_any_step_leaves_no_fact(number: int, step: str) -> None:
    with House() as house:
        told(house)

        def erase(name: str) -> None:
            assert name == step
            house.world.whenever(lambda _: None)
            settings = house.world.table.state(LENA).settings
            house.world.table.write_settings(LENA, replace(settings, epoch=1))

        house.world.whenever(at_step(number, erase))
        house.extract_all()
        recover(house)
        assert texts(house) == []
        assert house.world.facts.pending(LENA) == []


@EVERY_STEP
def test_opting_out_at_any_step_stores_nothing_from_then_on(number: int, step: str) -> None:
    with House() as house:
        told(house)
        stored: list[list[str]] = []

        def opt_out(name: str) -> None:
            assert name == step
            house.world.whenever(lambda _: None)
            settings = house.world.table.state(LENA).settings
            house.world.table.write_settings(LENA, replace(settings, context_memory=False))
            stored.append(texts(house))

        house.world.whenever(at_step(number, opt_out))
        house.extract_all()
        recover(house)
        assert [texts(house)] == stored
