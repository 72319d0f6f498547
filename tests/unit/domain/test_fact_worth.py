from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.worth import by_worth
from tests.support.facts import NOON, a_fact

if TYPE_CHECKING:
    from random import Random

    from context_memory.domain.facts.fact import Fact

some_facts = st.lists(
    st.builds(
        lambda number, tier, days, uses: a_fact(
            f"Fact {number}", tier=tier, uses=uses, last_confirmed_at=NOON - timedelta(days=days)
        ),
        number=st.integers(0, 30),
        tier=st.sampled_from((Tier.CORE, Tier.CONTEXTUAL, Tier.ARCHIVAL)),
        days=st.integers(0, 400),
        uses=st.integers(0, 20),
    ),
    max_size=20,
    unique_by=lambda fact: fact.id,
)


def old(name: str, days: int, *, uses: int = 0) -> Fact:
    return a_fact(name, last_confirmed_at=NOON - timedelta(days=days), uses=uses)


@given(some_facts, st.randoms())
def test_all_are_compared_in_an_order_that_does_not_hang_on_theirs(facts: list[Fact], random: Random) -> None:
    ordered = by_worth(facts)
    assert sorted(ordered, key=lambda fact: fact.id) == sorted(facts, key=lambda fact: fact.id)
    assert by_worth(random.sample(facts, len(facts))) == ordered


@given(some_facts)
def test_the_archive_goes_first_and_core_facts_last(facts: list[Fact]) -> None:
    tiers = [fact.tier for fact in by_worth(facts)]
    assert tiers == sorted(tiers, key=[Tier.ARCHIVAL, Tier.CONTEXTUAL, Tier.CORE].index)


@given(some_facts.filter(bool), st.data())
def test_a_fact_that_is_cited_once_more_goes_no_earlier(facts: list[Fact], data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(facts))
    cited = replace(chosen, uses=chosen.uses + 1)
    others = [fact for fact in facts if fact is not chosen]
    assert by_worth([*others, cited]).index(cited) >= by_worth(facts).index(chosen)


@given(some_facts.filter(bool), st.data())
def test_a_fact_that_is_stated_again_goes_last_of_its_tier_and_uses(facts: list[Fact], data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(facts))
    again = replace(chosen, last_confirmed_at=NOON + timedelta(days=1))
    ordered = by_worth([*(fact for fact in facts if fact is not chosen), again])
    behind = ordered[ordered.index(again) + 1 :]
    assert all(fact.tier is not again.tier for fact in behind)


def test_each_use_makes_up_for_as_much_time_again() -> None:
    newest, used, recent, fresh = old("Newest", 0), old("Used", 100, uses=9), old("Recent", 11), old("Fresh", 9)
    assert by_worth([newest, fresh, used, recent]) == [recent, used, fresh, newest]


def test_of_facts_stated_at_the_same_time_the_unused_one_goes() -> None:
    assert by_worth([old("Used", 5, uses=1), old("Unused", 5)])[0].text == "Unused"


def test_of_nothing_nothing_goes() -> None:
    assert by_worth([]) == []
