"""What is given of what was found: tiers and budgets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.fact import Fact, Tier
from context_memory.domain.recall.match import Match
from context_memory.domain.recall.selection import Budgets, chosen
from tests.support.facts import COMPANY, LENA, NOON, a_fact


def found(text: str, score: float = 0.5, tier: Tier = Tier.CONTEXTUAL, **more: Any) -> Match:  # noqa: ANN401 - a fact's
    return Match(a_fact(text, tier=tier, **more), LENA, score, ("keywords",))


def core(text: str, **more: Any) -> tuple[Fact, Any]:  # noqa: ANN401 - a fact's
    return a_fact(text, tier=Tier.CORE, **more), LENA


def texts(matches: tuple[Match, ...]) -> list[str]:
    return [match.fact.text for match in matches]


def test_core_facts_are_given_first_though_nothing_asks_for_them_and_beside_the_hits() -> None:
    given_ = chosen([found("a", 0.9), found("b", 0.8)], [core("always")], Budgets(hits=2))
    assert texts(given_) == ["always", "a", "b"]
    assert given_[0].why == ("core",)


def test_a_core_fact_that_the_query_found_is_given_once_and_says_what_found_it() -> None:
    match = found("always", 0.7, Tier.CORE)
    assert chosen([match], [(match.fact, LENA)], Budgets()) == (match,)


def test_of_too_many_core_facts_those_confirmed_last_are_given() -> None:
    facts = [core(f"c{day}", last_confirmed_at=NOON + timedelta(days=day)) for day in range(20)]
    assert texts(chosen([], facts, Budgets(core=15))) == [f"c{day}" for day in reversed(range(5, 20))]


def test_an_archival_fact_needs_a_high_score_and_room() -> None:
    matches = [found("old", 0.9, Tier.ARCHIVAL), found("older", 0.5, Tier.ARCHIVAL), found("new", 0.4)]
    assert texts(chosen(matches, [], Budgets(archival_score=0.6))) == ["old", "new"]
    assert texts(chosen(matches, [], Budgets(hits=1))) == ["new"]


def test_ephemeral_facts_are_ranked_with_the_rest() -> None:
    matches = [found("said before", 0.9, Tier.EPHEMERAL), found("known", 0.4)]
    assert texts(chosen(matches, [], Budgets())) == ["said before", "known"]


def test_a_fact_too_long_for_what_is_left_is_passed_over() -> None:
    matches = [found("a", 0.9, tokens=50), found("b", 0.8, tokens=60), found("c", 0.7, tokens=40)]
    assert texts(chosen(matches, [], Budgets(tokens=100))) == ["a", "c"]


def test_each_tier_has_a_budget_of_its_own() -> None:
    old = [found(f"old {at}", 0.9, Tier.ARCHIVAL, tokens=10) for at in range(3)]
    new = [found(f"new {at}", 0.8, tokens=10) for at in range(3)]
    budgets = Budgets(contextual_tokens=20, archival_tokens=10)
    assert texts(chosen([*old, *new], [], budgets)) == ["old 0", "new 0", "new 1"]


def test_identical_texts_are_given_once_whatever_scopes_they_are_of() -> None:
    shared = Match(a_fact("Invoices go out on Mondays", COMPANY), COMPANY, 0.9, ("keywords",))
    assert chosen([shared, found("invoices go out on Mondays.", 0.8)], [], Budgets()) == (shared,)


def test_what_the_profile_shows_is_not_given_again() -> None:
    assert (
        chosen([found("Lives in Basel.")], [core("Speaks German")], Budgets(), ["lives in Basel", "speaks german"])
        == ()
    )


@given(
    st.lists(st.tuples(st.integers(1, 400), st.sampled_from(Tier), st.floats(0, 1)), max_size=30),
    st.integers(0, 12),
    st.integers(0, 1200),
)
def test_no_budget_is_ever_exceeded(facts: list[tuple[int, Tier, float]], hits: int, tokens: int) -> None:
    matches = [found(f"f{at}", score, tier, tokens=size) for at, (size, tier, score) in enumerate(facts)]
    budgets = Budgets(hits=hits, tokens=tokens, core=3, line_tokens=2)
    given_ = chosen(matches, [core(f"c{at}", tokens=30) for at in range(5)], budgets)
    assert sum(match.fact.tokens + 2 for match in given_) <= tokens
    assert sum(match.fact.tier is Tier.CORE for match in given_) <= 3
    assert sum(match.fact.tier is not Tier.CORE for match in given_) <= hits
