"""Old turns that are read together once more: what is new in them rests on all that speak of it, and is archival."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.deciding import Case, Decided, decide
from context_memory.domain.facts.fact import Past, Source, Tier
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.sources import Said, resting_on, resting_on_all
from context_memory.domain.ids import UserKey
from tests.support.facts import a_fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact

SCOPE = UserScope(UserKey("acme", "lena"))
NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SAID = ("I steam ribs for a cedar canoe.", "What is the weather like?", "I varnished the cedar canoe.")
TURNS = [
    Said(source=Source(f"t{number}", "c"), occurred_at=NOW - (30 - number) * DAY, grounds=text)
    for number, text in enumerate(SAID)
]
CANOE = Proposal(operation=Operation.ADD, quote="q", text="Built a cedar canoe.")


def decided(*proposals: Proposal, facts: Sequence[Fact] = (), summary: bool = True) -> Decided:
    case = Case(
        scope=SCOPE,
        epoch=0,
        facts=facts,
        shown={},
        turns=TURNS,
        now=NOW,
        tokens=len,
        summary=summary,
    )
    return decide(case, proposals)


def test_it_names_the_newest_turn_that_speaks_of_it_and_remembers_the_others() -> None:
    (fact,) = decided(CANOE).standing.values()
    assert (fact.tier, fact.source.turn_id, fact.last_confirmed_at) == (Tier.ARCHIVAL, "t2", TURNS[2].occurred_at)
    assert fact.created_at == fact.last_confirmed_at
    assert fact.compaction is not None
    assert [origin.source.turn_id for origin in fact.compaction.origins] == ["t0", "t2"]
    assert fact.compaction.originals == ()


def test_one_that_rests_on_a_single_turn_remembers_no_others() -> None:
    (fact,) = decided(replace(CANOE, text="Steams ribs.")).standing.values()
    assert (fact.source.turn_id, fact.compaction) == ("t0", None)


def test_what_a_write_back_brings_rests_on_one_turn_and_is_contextual() -> None:
    (fact,) = decided(CANOE, summary=False).standing.values()
    assert (fact.tier, fact.compaction) == (Tier.CONTEXTUAL, None)


def test_what_was_replaced_since_is_refused_and_what_was_replaced_before_is_not() -> None:
    for days, kept in ((1, False), (40, True)):
        past = Past("a" * 20, "built a CEDAR canoe", NOW - days * DAY)
        sold = a_fact("Sold the boat", SCOPE, supersedes=(past,))
        result = decided(CANOE, facts=[sold])
        assert (CANOE.text in {fact.text for fact in result.standing.values()}) is kept
        assert result.refused[Refusal.LATE] == int(not kept)


WORDS = st.lists(st.sampled_from(["cedar", "canoe", "ribs", "tulips", "Basel"]), min_size=1, max_size=4).map(" ".join)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=5))
def test_the_turn_that_holds_most_of_it_is_always_among_those_that_it_rests_on(text: str, said: list[str]) -> None:
    turns = [
        Said(source=Source(f"t{number}"), occurred_at=NOW + number * DAY, grounds=words)
        for number, words in enumerate(said)
    ]
    found = resting_on_all(text, turns)
    assert resting_on(text, turns) in found
    assert list(found) == [turn for turn in turns if turn in found]
