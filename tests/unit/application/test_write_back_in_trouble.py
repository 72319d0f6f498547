"""What must not be lost, nor come again, when extractions meet trouble: outages, edits of messages, time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.facts.fact import Source, Tier
from context_memory.domain.facts.scopes import UserScope
from tests.support import scripted_answers as answers
from tests.support.asked_by_users import ask
from tests.support.house import LENA, PLENTY, House

if TYPE_CHECKING:
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
    assert (then.tier, then.source) == (Tier.CORE, Source("t1", "c-1"))
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
