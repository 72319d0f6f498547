"""From screened proposals to facts: exactly one fact for one truth, and nothing lost that nobody replaced."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from context_memory.domain.facts.deciding import Case, Decided, decide
from context_memory.domain.facts.fact import MOST_PAST, Fact, Past, Source, Tier, fact_id
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.sources import Said
from context_memory.domain.ids import UserKey

SCOPE = UserScope(UserKey("acme", "lena"))
NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)
TODAY, LONG_AGO = NOW - timedelta(minutes=5), NOW - timedelta(days=30)


def fact(text: str, at: datetime = LONG_AGO) -> Fact:
    return Fact(id=fact_id(SCOPE, text), tier=Tier.CONTEXTUAL, text=text, tokens=4, created_at=at, last_confirmed_at=at)


def decided(facts: list[Fact], *proposals: Proposal, said: str = "", at: datetime = TODAY) -> Decided:
    case = Case(
        scope=SCOPE,
        epoch=3,
        facts=facts,
        shown=dict(enumerate(facts, start=1)),
        turns=[Said(source=Source("t9", "c9"), occurred_at=at, grounds=said)],
        now=NOW,
        tokens=len,
    )
    return decide(case, proposals)


def texts(result: Decided) -> list[str]:
    return sorted(one.text for one in result.standing.values())


def add(text: str, tier: Tier | None = None) -> Proposal:
    return Proposal(operation=Operation.ADD, quote="q", text=text, tier=tier)


def supersede(number: int, text: str) -> Proposal:
    return Proposal(operation=Operation.SUPERSEDE, quote="q", number=number, text=text)


def confirm(number: int) -> Proposal:
    return Proposal(operation=Operation.CONFIRM, quote="q", number=number)


def delete(number: int) -> Proposal:
    return Proposal(operation=Operation.DELETE, quote="q", number=number)


def test_a_new_fact_knows_its_turn_its_time_and_its_epoch() -> None:
    (new,) = decided([], add("Owns a canoe.", Tier.CORE)).standing.values()
    assert (new.source, new.created_at, new.last_confirmed_at, new.epoch) == (Source("t9", "c9"), TODAY, TODAY, 3)
    assert (new.tier, new.tokens, new.id) == (Tier.CORE, len("Owns a canoe."), fact_id(SCOPE, "Owns a canoe."))


def test_the_same_text_twice_in_one_answer_is_one_fact() -> None:
    result = decided([], add("Owns a canoe."), add("owns a canoe"))
    assert texts(result) == ["Owns a canoe."]
    assert result.done["t9", Operation.ADD] == 1
    assert result.done["t9", Operation.CONFIRM] == 1


def test_a_fact_that_says_less_than_a_known_one_confirms_it() -> None:
    result = decided([fact("Works at Acme in Basel as an analyst.")], add("Works at Acme in Basel."))
    (kept,) = result.standing.values()
    assert kept.text == "Works at Acme in Basel as an analyst."
    assert kept.last_confirmed_at == TODAY


def test_what_a_fact_took_the_place_of_keeps_where_it_came_from() -> None:
    known = replace(fact("Works at Acme."), source=Source("t1", "c1"), tier=Tier.CORE)
    (kept,) = decided([known], supersede(1, "Works at Globex.")).standing.values()
    then = Past(known.id, known.text, NOW, tier=Tier.CORE, source=Source("t1", "c1"), created_at=LONG_AGO)
    assert kept.supersedes == (then,)


def test_a_fact_that_says_all_of_a_known_one_and_more_takes_its_place() -> None:
    result = decided([fact("Works at Acme in Basel.")], add("Works at Acme in Basel as an analyst."))
    (kept,) = result.standing.values()
    assert [past.text for past in kept.supersedes] == ["Works at Acme in Basel."]


def test_another_number_or_a_negation_is_another_fact() -> None:
    known = [fact("Has 2 cats."), fact("Drinks alcohol.")]
    assert len(texts(decided(known, add("Has 3 cats."), add("Drinks no alcohol.")))) == 4


def test_a_reversal_leaves_exactly_one_fact() -> None:
    known = [fact("Works at Acme."), fact("Owns a canoe.")]
    assert texts(decided(known, supersede(1, "Works at Globex."))) == ["Owns a canoe.", "Works at Globex."]


def test_what_is_replaced_by_something_known_leaves_the_known_one() -> None:
    known = [fact("Works at Acme."), fact("Works at Globex.")]
    (kept,) = decided(known, supersede(1, "Works at Globex.")).standing.values()
    assert (kept.text, kept.last_confirmed_at) == ("Works at Globex.", TODAY)
    assert [past.text for past in kept.supersedes] == ["Works at Acme."]


def test_two_replacements_without_a_word_in_common_are_taken_at_the_model_s_word_and_no_more() -> None:
    known = [fact("Owns a canoe."), fact("Plays the oboe."), fact("Speaks Welsh.")]
    unrelated = [supersede(1, "Rides horses."), supersede(2, "Grows tulips."), supersede(3, "Knits socks.")]
    result = decided(known, *unrelated)
    assert "Speaks Welsh." in texts(result)
    assert "Knits socks." in texts(result)
    assert len(texts(result)) == 4


def test_a_late_turn_only_adds() -> None:
    known = [fact("Works at Globex.", at=NOW), fact("Owns a canoe.", at=NOW)]
    late = [supersede(1, "Works at Acme."), delete(2), add("Owned a dinghy as a child.")]
    result = decided(known, *late, at=LONG_AGO)
    assert texts(result) == ["Owned a dinghy as a child.", "Owns a canoe.", "Works at Globex."]
    assert result.refused == {Refusal.LATE: 2}


def test_a_late_confirmation_sets_no_clock_back() -> None:
    (kept,) = decided([fact("Owns a canoe.", at=NOW)], confirm(1), at=LONG_AGO).standing.values()
    assert kept.last_confirmed_at == NOW


def test_a_fact_that_is_gone_meanwhile_can_be_neither_confirmed_nor_deleted() -> None:
    result = decided([], confirm(1), delete(2))
    assert result.refused == {Refusal.UNKNOWN: 2}
    assert result.done.total() == 0


def test_what_was_to_be_replaced_and_is_gone_makes_room_for_the_new_one_all_the_same() -> None:
    assert texts(decided([], supersede(1, "Works at Globex."))) == ["Works at Globex."]


def test_a_fact_remembers_only_its_latest_past() -> None:
    known = [fact("Works at Employer0.")]
    for number in range(1, MOST_PAST + 4):
        result = decided(known, supersede(1, f"Works at Employer{number}."))
        known = list(result.standing.values())
    assert len(known[0].supersedes) == MOST_PAST
