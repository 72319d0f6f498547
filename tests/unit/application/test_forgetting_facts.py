"""A forgotten fact is in neither memory, however it came there, and whatever waited when it was forgotten."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.fact import Fact, Past, Tier, fact_id
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from context_memory.ports.facts import FactsChange
from tests.support.house import LENA, PLENTY, House, body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.support.scripted_model import Asked


SCOPE = UserScope(LENA)
CANOE: dict[str, object] = {
    "op": "add", "id": None, "text": "Owns a canoe.", "tier": None, "keywords": [], "quote": "own a canoe"
}  # fmt: skip


def keep(house: House, *texts: str, past: Iterable[str] = ()) -> None:
    """Store facts as an earlier turn would have."""
    stored, now = house.world.facts.facts(LENA, SCOPE), house.world.clock.now()
    puts = tuple(
        Fact(
            id=fact_id(SCOPE, text),
            tier=Tier.CONTEXTUAL,
            text=text,
            tokens=4,
            created_at=now,
            last_confirmed_at=now,
            supersedes=tuple(Past(fact_id(SCOPE, one), one, now) for one in past),
        )
        for text in texts
    )
    count = stored.count_after(puts)
    house.world.facts.change(FactsChange(user=LENA, base=stored.head, epoch=0, at=now, puts=puts, count=count))


def texts(house: House) -> list[str]:
    return sorted(fact.text for fact in house.world.facts.facts(LENA, SCOPE).facts)


def ask_to_forget(house: House, said: str, answer: str = "NOOP", **fields: Any) -> None:  # noqa: ANN401 - any JSON
    house.world.clock.advance(60)
    house.model.queue("gate", "FORGET")
    house.model.queue("consolidation", answer)
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("forget", said, **fields)
    house.work()


def test_what_the_wish_names_goes_and_everything_else_stays(house: House) -> None:
    keep(house, "Owns a canoe.", "Plays the oboe.", "Works at Acme.")
    ask_to_forget(house, "Please forget that I own a canoe.")
    assert texts(house) == ["Plays the oboe.", "Works at Acme."]
    assert house.record("forget").outcome is Outcome.NOOP


def test_a_word_means_the_fact_that_says_nothing_else(house: House) -> None:
    keep(house, "Lives in Basel.", "Works at Novartis in Basel.")
    ask_to_forget(house, "Forget that I live in Basel.")
    assert texts(house) == ["Works at Novartis in Basel."]


def test_what_only_the_model_understands_is_forgotten_for_good_too(house: House) -> None:
    keep(house, "Eats no meat.", "Plays the oboe.")
    keep(house, "Eats fish on Fridays.", past=["Eats no meat."])
    stored = house.world.facts.facts(LENA, SCOPE).facts

    def answer(asked: Asked) -> str:
        shown = asked.said_by("user")
        number = next(line.partition(":")[0] for line in shown.splitlines() if line.endswith(": Eats no meat."))
        gone = {"op": "delete", "id": int(number), "text": None, "tier": None, "keywords": [], "quote": "my diet"}
        return json.dumps({"facts": [gone]})

    house.model.script("extraction", answer)
    ask_to_forget(house, "Forget my diet.")
    assert texts(house) == ["Eats fish on Fridays.", "Plays the oboe."]
    assert all(fact.supersedes == () for fact in house.world.facts.facts(LENA, SCOPE).facts)
    (vegetarian,) = [fact for fact in stored if fact.text == "Eats no meat."]
    forgotten = house.forgetting.after(LENA)
    assert forgotten(vegetarian.text, vegetarian.last_confirmed_at)
    assert not forgotten("Plays the oboe.", vegetarian.last_confirmed_at)


def deleting(*going: str) -> Callable[[Asked], str]:
    """The model deletes these facts, whatever was said."""

    def answer(asked: Asked) -> str:
        shown = asked.said_by("user").splitlines()
        numbers = [line.partition(":")[0] for line in shown for text in going if line.endswith(f": {text}")]
        gone: dict[str, object] = {"op": "delete", "text": None, "tier": None, "keywords": [], "quote": "forget"}
        return json.dumps({"facts": [gone | {"id": int(number)} for number in numbers]})

    return answer


def test_a_word_that_meant_one_fact_is_no_reason_for_the_model_to_delete_another(house: House) -> None:
    keep(house, "Lives in Basel.", "Mother comes from Basel.", "Eats no meat.")
    house.model.script("extraction", deleting("Mother comes from Basel.", "Eats no meat."))
    ask_to_forget(house, "Please forget that I live in Basel.")
    assert texts(house) == ["Eats no meat.", "Mother comes from Basel."]
    assert house.world.facts.pending(LENA) == []


def test_what_a_wish_asks_beside_that_the_model_may_still_find(house: House) -> None:
    keep(house, "Lives in Basel.", "Mother comes from Basel.", "Eats no meat.")
    house.model.script("extraction", deleting("Mother comes from Basel.", "Eats no meat."))
    ask_to_forget(house, "Please forget that I live in Basel, and forget my diet.")
    assert texts(house) == ["Mother comes from Basel."]


def test_a_word_that_meant_a_bullet_takes_no_fact_that_says_something_else(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    house.post("t1", "I live in Basel and write Rust.")
    house.work()
    keep(house, "Mother comes from Basel.", "Eats no meat.")
    house.model.script("extraction", deleting("Mother comes from Basel.", "Eats no meat."))
    ask_to_forget(house, "Please forget that I live in Basel.", f"FORGET\n{body(skills=['Writes Rust.'])}")
    assert house.record("forget").outcome is Outcome.FORGOTTEN
    assert texts(house) == ["Eats no meat.", "Mother comes from Basel."]


def test_facts_that_say_what_a_removed_bullet_said_go_with_it(house: House) -> None:
    house.learns(body(work=["Migrates the Kestrel warehouse."], skills=["Writes Rust."]))
    house.post("t1", "I migrate the Kestrel warehouse and write Rust.")
    house.work()
    keep(house, "Is migrating the Kestrel warehouse.", "Writes Rust.")
    ask_to_forget(house, "Forget that project of mine with the bird.", f"FORGET\n{body(skills=['Writes Rust.'])}")
    assert house.record("forget").outcome is Outcome.FORGOTTEN
    assert texts(house) == ["Writes Rust."]


def test_forget_everything_takes_every_fact_however_many(house: House) -> None:
    for start in range(0, 240, 60):
        keep(house, *(f"Has a cat called Whiskers{number}." for number in range(start, start + 60)))
    ask_to_forget(house, "Forget everything you know about me.")
    assert texts(house) == []


def test_what_a_fact_said_before_is_forgotten_as_well(house: House) -> None:
    keep(house, "Works at Globex.", past=["Works at Acme."])
    ask_to_forget(house, "Forget that I ever worked at Acme.")
    (fact,) = house.world.facts.facts(LENA, SCOPE).facts
    assert (fact.text, fact.supersedes) == ("Works at Globex.", ())


def test_older_material_does_not_bring_back_what_was_forgotten(house: House) -> None:
    before = house.world.clock.now()
    house.world.clock.advance(60)
    keep(house, "Owns a canoe.")
    ask_to_forget(house, "Forget that I own a canoe.")
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.model.queue("extraction", json.dumps({"facts": [CANOE]}))
    house.post("older", "I own a canoe.", occurred_at=before)
    house.work()
    assert texts(house) == []
    assert house.record("older").facts_outcome is FactsOutcome.NOTHING


@pytest.mark.parametrize("write_back", [True, False])
def test_a_turn_that_waited_when_its_matter_was_forgotten_teaches_none_of_it(house: House, *, write_back: bool) -> None:
    """Both turns have ended for the profile before anybody extracts facts: no hash knows of the fact yet."""
    house.model.script("gate", lambda asked: "FORGET" if "Forget" in asked.said_by("user") else "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    oboe = CANOE | {"text": "Plays the oboe.", "quote": "play the oboe"}
    house.model.queue("extraction", json.dumps({"facts": [CANOE, oboe]}))
    house.post("t1", "I own a canoe and play the oboe.")
    house.consolidate_all()
    house.world.clock.advance(60)
    house.world.switches.spaces["acme", "s2"] = SpaceSettings(recall=RecallSettings(write_back=write_back))
    house.post("forget", "Forget that I own a canoe.", space_id="s2")
    house.consolidate_all()
    house.extract_all()
    assert texts(house) == ["Plays the oboe."]
    house.extract_all()
    assert house.world.facts.pending(LENA) == []
    assert house.world.payloads.stored(LENA) == []


def test_a_wish_waits_for_an_older_turn_that_was_given_up(house: House) -> None:
    house.model.script("gate", lambda asked: "FORGET" if "Forget" in asked.said_by("user") else "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    (pending,) = house.world.facts.pending(LENA)
    house.world.facts.bury(LENA, pending, "crashed")
    house.world.clock.advance(60)
    house.post("forget", "Forget that I own a canoe.")
    house.work()
    assert [one.turn_id for one in house.world.facts.pending(LENA)] == ["t1", "forget"]
    house.model.queue("extraction", json.dumps({"facts": [CANOE]}))
    house.world.facts.revive(LENA, "t1")
    house.world.clock.advance(700)
    house.heal()
    house.work()
    assert texts(house) == []
    assert house.world.facts.pending(LENA) == []


def test_whatever_answer_is_lost_the_facts_are_gone_and_the_turn_ends_once(house: House) -> None:
    keep(house, "Owns a canoe.", "Plays the oboe.")
    house.model.script("gate", lambda _: "FORGET")
    house.model.script("consolidation", lambda _: "NOOP")
    house.post("forget", "Forget that I own a canoe.")
    failures = iter([True, True])

    def lose(step: str) -> None:
        if step == "after:table.settle" and next(failures, False):
            raise StoreUnavailable("The answer was lost.")

    house.world.whenever(lose)
    for _ in range(4):
        house.world.clock.advance(2000)
        house.work()
    assert texts(house) == ["Plays the oboe."]
    assert house.record("forget").outcome is Outcome.NOOP


def test_an_erase_in_between_is_not_written_into(house: House) -> None:
    keep(house, "Owns a canoe.")

    def erase(step: str) -> None:
        if step == "before:table.settle":
            house.world.whenever(lambda _: None)
            settings = house.world.table.state(LENA).settings
            house.world.table.write_settings(LENA, replace(settings, epoch=1))

    house.world.whenever(erase)
    ask_to_forget(house, "Forget that I own a canoe.")
    assert texts(house) == []
    assert house.record("forget").outcome is Outcome.DROPPED_ERASED


def both(house: House) -> None:
    """Two turns of which neither is extracted yet: one tells, the other wants that forgotten and is not even seen."""
    house.model.script("gate", lambda asked: "FORGET" if "Forget" in asked.said_by("user") else "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script(
        "extraction",
        lambda asked: json.dumps({"facts": [] if "Forget" in asked.said_by("user") else [CANOE]}),
    )
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    house.world.clock.advance(60)
    house.post("forget", "Forget that I own a canoe.")


def one(house: House) -> None:
    """Let whoever answers doorbells of turns answer one."""
    house.look()


def other(house: House) -> None:
    """Let whoever answers doorbells of facts answer one."""
    house.extract(LENA, Deadline.within(house.world.clock, PLENTY))


def steps_of(work: Callable[[House], None]) -> list[str]:
    seen: list[str] = []
    with House() as house:
        both(house)
        house.world.whenever(seen.append)
        work(house)
    return seen


def races() -> Iterator[object]:
    """Each may come between any two things that the other does with the user's items."""
    for name, first, second in (("consolidation", one, other), ("extraction", other, one)):
        for number, step in enumerate(steps_of(first)):
            if step.startswith(("before:table.", "after:table.")):
                yield pytest.param(first, second, number, id=f"{name}-{number}-{step}")


@pytest.mark.parametrize(("first", "second", "number"), list(races()))
def test_a_wish_beats_an_older_turn_that_is_being_extracted_at_that_very_moment(
    first: Callable[[House], None], second: Callable[[House], None], number: int
) -> None:
    with House() as house:
        both(house)
        taken = iter(range(10_000))

        def come_between(_step: str) -> None:
            if next(taken) == number:
                house.world.whenever(lambda _: None)
                second(house)

        house.world.whenever(come_between)
        first(house)
        house.world.whenever(lambda _: None)
        for _ in range(3):
            house.world.clock.advance(2000)
            house.heal()
            house.work()
        assert texts(house) == []
        assert [house.record(turn).final for turn in ("t1", "forget")] == [True, True]
        assert house.world.payloads.stored(LENA) == []
