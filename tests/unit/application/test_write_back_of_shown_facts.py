"""What recall put into a prompt teaches nothing when it comes back, whoever sends it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.facts.outcomes import FactsCounts
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.recall.block import block
from context_memory.domain.recall.markers import marker
from context_memory.domain.recall.match import Match
from tests.support.facts import a_fact
from tests.support.house import LENA, House

if TYPE_CHECKING:
    from collections.abc import Sequence

GIVEN = a_fact("Her dog is called Momo.")
SHOWN = block([Match(GIVEN, None, 1.0, ())], cited=True)
MOMO: dict[str, object] = {
    "op": "add",
    "id": None,
    "text": "Has a dog called Momo.",
    "tier": "core",
    "keywords": [],
    "quote": "dog is called Momo",
}
CANOE = MOMO | {"text": "Owns a canoe.", "quote": "I own a canoe"}


def learned(house: House, messages: Sequence[dict[str, Any]]) -> list[str]:
    """Facts that stand once the model has proposed both from this conversation."""
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.script("extraction", lambda _: json.dumps({"facts": [MOMO, CANOE]}))
    house.post("t1", "unused", messages=list(messages))
    house.work()
    return [fact.text for fact in house.world.facts.facts(LENA, UserScope(LENA)).facts]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


@pytest.mark.parametrize(
    "messages",
    [
        [user(f"{SHOWN}\n\nI own a canoe.")],
        [user(f"I own a canoe.\n- {GIVEN.text} {marker(GIVEN.id)}")],
        [{"role": "system", "content": SHOWN}, user("I own a canoe."), assistant(f"{GIVEN.text} {marker(GIVEN.id)}")],
        [user("I own a canoe."), assistant(SHOWN)],
    ],
    ids=["the block, pasted", "a line of it, pasted", "an answer that cites", "the block, echoed"],
)
def test_of_what_was_shown_nothing_is_learned_and_of_the_rest_all(house: House, messages: list[dict[str, Any]]) -> None:
    assert learned(house, messages) == ["Owns a canoe."]
    assert house.record("t1").facts == FactsCounts(added=1, refused=1)


def test_the_same_in_the_user_s_own_words_is_learned(house: House) -> None:
    assert len(learned(house, [user("I own a canoe, and my dog is called Momo.")])) == 2
