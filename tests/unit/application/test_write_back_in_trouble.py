"""What must not be lost, nor come again, when extractions meet trouble: outages, edits of messages, time."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.facts.fact import Source, Tier
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.outcomes import Outcome
from context_memory.domain.replies.extraction import MOST_PROPOSALS
from context_memory.domain.turn import KEPT
from tests.support import scripted_answers as answers
from tests.support.asked_by_users import ask
from tests.support.house import LENA, NO_FACTS, PLENTY, TOKENIZERS, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.facts.fact import Fact


def fact(text: str, quote: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"op": "add", "id": None, "text": text, "tier": "core", "keywords": [], "quote": quote} | fields


def answer(*operations: dict[str, Any]) -> str:
    return json.dumps({"facts": list(operations)})


def stored(house: House) -> tuple[Fact, ...]:
    return house.world.facts.facts(LENA, UserScope(LENA)).facts


def texts(house: House) -> list[str]:
    return sorted(one.text for one in stored(house))


def willing(house: House) -> None:
    """The profile takes nothing in, so that facts alone tell what was learned."""
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")


def test_what_was_replaced_is_remembered_with_its_tier_and_its_source(house: House) -> None:
    willing(house)
    house.model.queue("extraction", answer(fact("Works at Acme.", "I work at Acme")))
    house.post("t1", "I work at Acme.", chat_id="c-1")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("extraction", answer(fact("Works at Globex.", "at Globex now", op="supersede", id=1)))
    house.post("t2", "I left Acme and work at Globex now.", chat_id="c-2")
    house.work()
    (now,) = stored(house)
    (then,) = now.supersedes
    assert (then.tier, then.source) == (Tier.CORE, Source("t1", "c-1", space_id="s1"))
    told = ask(house, "POST /v1/me/unlearn", {"chat_ids": ["c-1"]}, if_match='"0-0"')
    assert told.status == 200
    assert [one.supersedes for one in stored(house)] == [()]


def test_an_outage_costs_no_turn_an_attempt_that_was_to_run_alone_after_a_group_failed(house: House) -> None:
    willing(house)
    house.model.script("extraction", lambda _: "I would rather not.")
    for number in range(3):
        house.post(f"t{number}", f"I own boat number {number}.")
    house.consolidate_all()
    house.model.queue("extraction", "What?", "What?", *[answers.broken(503)] * 3)
    house.extract(LENA, Deadline.within(house.world.clock, PLENTY))
    assert [one.attempts for one in house.world.facts.pending(LENA)] == [0, 0, 0]


def test_an_answer_that_is_cut_off_twice_counts_as_far_as_it_goes(house: House) -> None:
    willing(house)
    whole = answer(fact("Owns a canoe.", "I own a canoe"), fact("Plays the oboe.", "play the oboe"))
    house.model.queue("extraction", answers.cut(whole[:90]), answers.cut(whole[:-20]))
    house.post("t1", "I own a canoe and play the oboe.")
    house.work()
    assert texts(house) == ["Owns a canoe."]
    assert house.world.telemetry.lines[-1].fields["reason"] == "the model's answer was not whole"
    assert "name fewer facts" in house.model.asked("extraction")[1].said_by("user")


def test_one_quotation_mark_too_many_does_not_cost_a_turn_its_facts(house: House) -> None:
    willing(house)
    sound = answer(fact("Says 'hi' a lot.", "say hi a lot", keywords=[]), fact("Owns a canoe.", "I own a canoe"))
    house.model.queue("extraction", sound.replace("'", '"'), sound)
    house.post("t1", "I say hi a lot. I own a canoe.")
    house.work()
    assert texts(house) == ["Owns a canoe.", "Says 'hi' a lot."]


def test_an_answer_has_room_for_as_many_operations_as_it_may_hold(house: House) -> None:
    willing(house)
    said = "From March 2018 to June 2021 I led a team of twelve engineers at Globex in Zurich"
    one = fact(said, said, tier="contextual", keywords=["management", "leadership", "career"])
    house.model.queue("extraction", NO_FACTS)
    house.post("t1", said)
    house.work()
    (asked,) = house.model.asked("extraction")
    assert TOKENIZERS[0].count(json.dumps({"facts": [one] * MOST_PROPOSALS}, indent=2)) <= asked.body["max_tokens"]


def test_what_has_expired_is_neither_tried_for_ever_nor_asked_a_model_about(house: House) -> None:
    """Items stand for a while after they have expired; which of a turn's goes first is chance."""
    willing(house)
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    house.world.clock.advance(KEPT.total_seconds())
    with house.world.table.opened(LENA, "expire") as items:
        del items.turns["t1"]
    looks = iter(range(10))

    def count(step: str) -> None:
        if step == "before:table.pending":
            next(looks)

    house.world.whenever(count)
    assert house.extract(LENA, Deadline.within(house.world.clock, PLENTY)) is None
    assert house.model.asked("extraction") == ()


def known(house: House, *, chat_id: str = "c-1") -> None:
    """Acme is known from one turn; in the next, which is edited later, it was Globex."""
    willing(house)
    house.model.queue("extraction", answer(fact("Works at Acme.", "I work at Acme")))
    house.post("t0", "I work at Acme.", chat_id=chat_id)
    house.work()
    house.world.clock.advance(60)
    globex = fact("Works at Globex.", "at Globex now", op="supersede", id=1)
    house.model.queue("extraction", answer(globex, fact("Owns a canoe.", "a canoe")))
    house.post("t1", "I left Acme and work at Globex now. I own a canoe.", chat_id=chat_id)


def edit(house: House, gate: str = "NOOP") -> None:
    """Replace the second turn by one that teaches nothing."""
    house.world.clock.advance(60)
    house.model.queue("gate", gate)
    house.post("t2", "What a day!", supersedes_turn_id="t1")
    house.work()


def test_facts_of_a_message_that_was_edited_are_withdrawn_and_what_they_replaced_comes_back(house: House) -> None:
    known(house)
    house.work()
    assert texts(house) == ["Owns a canoe.", "Works at Globex."]
    edit(house)
    (back,) = stored(house)
    assert (back.text, back.tier, back.source, back.supersedes) == (
        "Works at Acme.",
        Tier.CORE,
        Source("t0", "c-1", space_id="s1"),
        (),
    )
    assert house.world.facts.head(LENA, UserScope(LENA)).count == 1


def test_a_fact_that_was_stated_again_outlives_the_message_that_taught_it(house: House) -> None:
    known(house)
    house.work()
    house.world.clock.advance(60)
    house.model.queue("extraction", answer(fact("Owns a canoe.", "I own a canoe")))
    house.post("later", "As I said, I own a canoe.")
    house.work()
    edit(house)
    assert texts(house) == ["Owns a canoe.", "Works at Acme."]


def test_a_fact_that_an_older_message_says_as_well_outlives_the_one_that_taught_it(house: House) -> None:
    earlier = house.world.clock.now() - timedelta(days=3)
    known(house)
    house.work()
    house.model.queue("extraction", answer(fact("Owns a canoe.", "I own a canoe")))
    house.post("older", "I own a canoe.", occurred_at=earlier)
    house.work()
    edit(house)
    assert texts(house) == ["Owns a canoe.", "Works at Acme."]


def test_a_message_that_was_edited_twice_is_withdrawn_through_the_edit_that_never_ran(house: House) -> None:
    known(house)
    house.work()
    house.world.clock.advance(60)
    house.post("between", "I left Acme and work at Initech now.", supersedes_turn_id="t1")
    house.world.clock.advance(60)
    house.model.queue("gate", "NOOP")
    house.post("t2", "What a day!", supersedes_turn_id="between")
    house.work()
    assert house.record("between").outcome is Outcome.DROPPED_SUPERSEDED
    assert texts(house) == ["Works at Acme."]


def test_two_turns_that_name_each_other_do_not_withdraw_themselves(house: House) -> None:
    willing(house)
    house.post("t1", "I own a canoe.", supersedes_turn_id="t2")
    house.world.clock.advance(60)
    house.model.queue("extraction", answer(fact("Owns a kayak.", "I own a kayak")))
    house.post("t2", "I own a kayak.", supersedes_turn_id="t1")
    house.work()
    assert texts(house) == ["Owns a kayak."]


@pytest.mark.parametrize("dead", [False, True])
def test_a_message_that_was_edited_before_its_facts_were_extracted_teaches_none(house: House, *, dead: bool) -> None:
    known(house)
    house.consolidate_all()
    (pending,) = house.world.facts.pending(LENA)
    if dead:
        house.world.facts.bury(LENA, pending, "crashed")
    edit(house)
    assert house.redrive(LENA, "t1").redriven == 0
    house.work()
    assert texts(house) == ["Works at Acme."]
    assert house.record("t1").facts_outcome is FactsOutcome.SKIPPED
    assert house.world.facts.pending(LENA) == []
    house.world.clock.advance(700)
    house.heal()
    assert house.world.payloads.stored(LENA) == []


def steps(work: Callable[[House], None]) -> list[str]:
    seen: list[str] = []
    with House() as house:
        known(house)
        house.consolidate_all()
        house.world.clock.advance(60)
        house.post("t2", "What a day!", supersedes_turn_id="t1")
        house.model.queue("gate", "NOOP")
        house.world.whenever(seen.append)
        work(house)
    return seen


def consolidated(house: House) -> None:
    house.look()


def extracted(house: House) -> None:
    house.extract(LENA, Deadline.within(house.world.clock, PLENTY))


RACES = [
    pytest.param(first, second, number, id=f"{first.__name__}-{number}-{step}")
    for first, second in ((consolidated, extracted), (extracted, consolidated))
    for number, step in enumerate(steps(first))
    if step.startswith(("before:table.", "after:table."))
]


@pytest.mark.parametrize(("first", "second", "number"), RACES)
def test_an_edit_beats_the_extraction_of_what_it_replaces_at_any_moment(
    first: Callable[[House], None], second: Callable[[House], None], number: int
) -> None:
    with House() as house:
        known(house)
        house.consolidate_all()
        house.world.clock.advance(60)
        house.post("t2", "What a day!", supersedes_turn_id="t1")
        house.model.script("gate", lambda asked: "NOOP" if "What a day" in asked.said_by("user") else "UPDATE")
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
        assert texts(house) == ["Works at Acme."]
        assert all(house.record(turn).final for turn in ("t1", "t2"))
        assert house.world.payloads.stored(LENA) == []
