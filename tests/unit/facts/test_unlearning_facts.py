"""Taking out facts by where they were learned from: what they took the place of comes back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.facts.fact import Past, Source, Tier, fact_id
from context_memory.domain.facts.history import in_place_of
from context_memory.domain.facts.unlearning import unlearn_facts
from tests.support.facts import LENA, NOON, a_fact

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.rewriting import Rewrite

HOUR = timedelta(hours=1)


def learned(text: str, turn: str, hours: int = 0, **more: Any) -> Fact:  # noqa: ANN401 - whatever a fact has
    """A fact that was learned in a turn of the chat c-1, so many hours after noon."""
    at = NOON + hours * HOUR
    return a_fact(text, source=Source(turn, "c-1"), created_at=at, last_confirmed_at=at, **more)


def left(facts: list[Fact], unlearned: Rewrite) -> dict[str, Fact]:
    """What stands afterwards, by its text."""
    standing = {fact.id: fact for fact in facts if fact.id not in unlearned.drops}
    standing |= {fact.id: fact for fact in unlearned.puts}
    return {fact.text: fact for fact in standing.values()}


def unlearn(facts: list[Fact], condemned: Condemnation) -> dict[str, Fact]:
    return left(facts, unlearn_facts(facts, condemned, len))


ROCHE, NOVARTIS = learned("Works at Roche.", "t1", tier=Tier.CORE), learned("Works at Novartis.", "t2", 2, uses=3)
CHANGED = in_place_of(NOVARTIS, ROCHE, NOON + 2 * HOUR)


@pytest.mark.parametrize(
    "condemned",
    [
        Condemnation(turn_ids=frozenset({"t2", "t9"})),
        Condemnation(since=NOON + HOUR),
        Condemnation(turn_ids=frozenset({"t2"}), chat_ids=frozenset({"c-1"}), until=NOON + 3 * HOUR),
    ],
    ids=["by turn", "by time", "by all of it"],
)
def test_what_a_fact_took_the_place_of_comes_back_as_it_was(condemned: Condemnation) -> None:
    (back,) = unlearn([CHANGED], condemned).values()
    assert (back.text, back.tier, back.source) == ("Works at Roche.", Tier.CORE, ROCHE.source)
    assert (back.id, back.tokens, back.uses) == (fact_id(LENA, "Works at Roche."), len(back.text), 3)
    assert (back.created_at, back.supersedes) == (ROCHE.created_at, ())


def test_what_was_learned_from_the_same_source_does_not_come_back() -> None:
    assert unlearn([CHANGED], Condemnation(chat_ids=frozenset({"c-1"}))) == {}


def test_history_loses_what_is_condemned_and_its_fact_stands() -> None:
    (fact,) = unlearn([CHANGED], Condemnation(turn_ids=frozenset({"t1"}))).values()
    assert (fact.text, fact.supersedes) == ("Works at Novartis.", ())


def test_what_comes_back_and_stands_already_stays_as_it_is() -> None:
    again = learned("Works at Roche.", "t3", 5)
    assert unlearn([CHANGED, again], Condemnation(turn_ids=frozenset({"t2"}))) == {"Works at Roche.": again}


def test_what_a_person_wrote_was_learned_from_nothing() -> None:
    own = a_fact("Works at Lonza.")
    assert unlearn([own], Condemnation(since=NOON - HOUR)) == {"Works at Lonza.": own}


@pytest.mark.parametrize(
    "condemned",
    [
        Condemnation(turn_ids=frozenset({"t2"}), models=frozenset({"large"})),
        Condemnation(prompt_versions=frozenset({"p1"})),
    ],
)
def test_facts_know_no_model_and_no_prompts(condemned: Condemnation) -> None:
    assert unlearn([CHANGED], condemned) == {CHANGED.text: CHANGED}


def test_an_older_history_that_says_nothing_of_its_source_is_believed() -> None:
    old = learned("Works at Novartis.", "t2", supersedes=(Past("a" * 20, "Works at Roche.", NOON),))
    (back,) = unlearn([old], Condemnation(turn_ids=frozenset({"t2"}))).values()
    assert (back.text, back.created_at, back.source) == ("Works at Roche.", NOON, Source())


_TURNS = st.sampled_from(["t1", "t2", "t3", "t4"])


@st.composite
def histories(draw: st.DrawFn) -> list[Fact]:
    """Facts that came one after the other, some in the place of earlier ones."""
    standing: dict[str, Fact] = {}
    for hour, number in enumerate(draw(st.lists(st.integers(0, 6), max_size=12))):
        new = learned(f"Fact {number}.", draw(_TURNS), hour)
        old = draw(st.sampled_from([None, *standing.values()]))
        if old is not None and old.id != new.id:
            del standing[old.id]
            new = in_place_of(new, old, NOON + hour * HOUR)
        standing.setdefault(new.id, new)
    return list(standing.values())


@given(histories(), st.frozensets(_TURNS, min_size=1))
def test_unlearning_twice_is_unlearning_once_and_leaves_nothing_of_its_source(
    facts: list[Fact], turns: frozenset[str]
) -> None:
    condemned = Condemnation(turn_ids=turns)
    once = list(unlearn(facts, condemned).values())
    assert unlearn(once, condemned) == {fact.text: fact for fact in once}
    assert not {fact.source.turn_id for fact in once} & turns
    assert not {past.source.turn_id for fact in once for past in fact.supersedes} & turns
    assert {fact.id for fact in facts if fact.source.turn_id not in turns} <= {fact.id for fact in once}
