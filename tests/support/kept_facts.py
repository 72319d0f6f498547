"""A user's facts in a house, as write-back leaves them and as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import FactsChange
from tests.support.house import LENA

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from tests.support.house import House


def put(house: House, *facts: Fact, user: UserKey = LENA) -> None:
    """Let facts stand, as write-back leaves them."""
    stored, now = house.world.facts.facts(user, UserScope(user)), house.world.clock.now()
    count = stored.count_after(facts)
    house.world.facts.change(FactsChange(user=user, base=stored.head, epoch=0, at=now, puts=facts, count=count))


def stands(house: House, user: UserKey = LENA) -> dict[str, Fact]:
    """Facts that count, by what they say."""
    return {fact.text: fact for fact in house.world.facts.facts(user, UserScope(user)).facts}
