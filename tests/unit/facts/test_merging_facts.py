"""What a model may make of several facts, and what stays as it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.admitting import FactGate
from context_memory.domain.facts.compacting.dating import depends_on_when
from context_memory.domain.facts.compacting.merging import Merge, Press, Pressed, Unmerged, distorts
from context_memory.domain.facts.fact import Origin, Past, Source, Tier, fact_id
from context_memory.domain.language.quantities import values_said
from context_memory.domain.language.words import content_words
from tests.support.facts import LENA, NOON, a_fact

DAY = timedelta(days=1)
PRAGUE = a_fact(
    "Visited Prague on 3 May 2024",
    tier=Tier.ARCHIVAL,
    source=Source("t1", "c1", None, "s1"),
    uses=2,
    keywords=("travel",),
    supersedes=(Past("f" * 20, "Plans to visit Prague", NOON),),
)
VIENNA = a_fact(
    "Visited Vienna on 9 June 2024",
    tier=Tier.ARCHIVAL,
    source=Source("t2", "c1", None, "s1"),
    created_at=NOON + DAY,
    last_confirmed_at=NOON + 2 * DAY,
    uses=1,
)
BOTH = "Visited Prague on 3 May 2024, Vienna on 9 June 2024"
GROUP = (PRAGUE, VIENNA)


def press(text: str, *, of: tuple[int, ...] = (1, 2), tokens: int = 7, **gate: object) -> Pressed:
    rules = {"own_sentences": frozenset[str](), "own_links": True} | gate
    pressing = Press(scope=LENA, gate=FactGate(**rules), now=NOON + 100 * DAY, tokens=lambda _: tokens)  # type: ignore[arg-type] # rules of a test
    return pressing.press([Merge(frozenset(of), text)], GROUP, frozenset(fact.id for fact in GROUP))


def refused(pressed: Pressed) -> Unmerged:
    assert not pressed.puts
    assert not pressed.drops
    (reason,) = pressed.refused
    return reason


def test_one_fact_stands_for_two_and_knows_all_that_they_knew() -> None:
    pressed = press(BOTH)
    (fact,) = pressed.puts
    assert pressed.drops == {PRAGUE.id, VIENNA.id}
    assert (fact.id, fact.tier, fact.tokens, fact.uses) == (fact_id(LENA, BOTH), Tier.ARCHIVAL, 7, 3)
    assert (fact.created_at, fact.last_confirmed_at) == (PRAGUE.created_at, VIENNA.last_confirmed_at)
    assert (fact.source, fact.keywords) == (Source(None, "c1", None, "s1"), ("travel",))
    assert fact.supersedes == PRAGUE.supersedes
    assert fact.compaction is not None
    assert (fact.compaction.originals, fact.compaction.at) == (GROUP, NOON + 100 * DAY)
    assert fact.compaction.origins[1] == Origin(VIENNA.id, VIENNA.source, VIENNA.created_at)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{BOTH}, and Bratislava", Unmerged.INVENTED),
        (f"{BOTH}, 2 cities", Unmerged.INVENTED),
        ("Visited Prague on 3 May 2024, Vienna in June 2024", Unmerged.DATES),
        ("Visited Prague on 9 May 2024, Vienna on 3 June 2024", Unmerged.DATES),
        ("3 May 2024, 9 June 2024", Unmerged.LOST),
        ("_(empty)_", Unmerged.UNFIT),
    ],
)
def test_what_is_invented_turned_round_or_lost_is_refused(text: str, reason: Unmerged) -> None:
    assert refused(press(text)) is reason


def test_what_takes_as_many_tokens_as_before_is_refused() -> None:
    assert refused(press(BOTH, tokens=PRAGUE.tokens + VIENNA.tokens)) is Unmerged.LONGER


def test_the_rules_of_the_user_hold_for_what_is_merged() -> None:
    assert refused(press(BOTH, deny_phrases=("prague",))) is Unmerged.UNFIT
    assert refused(press(BOTH, forgotten=lambda text: text == BOTH)) is Unmerged.UNFIT


@pytest.mark.parametrize("of", [(), (1,), (0, 1), (1, 3), (-1, 2)])
def test_a_merge_of_facts_that_were_not_shown_is_refused(of: tuple[int, ...]) -> None:
    assert refused(press(BOTH, of=of)) is Unmerged.UNKNOWN


def test_a_fact_goes_into_one_merge_only() -> None:
    gate = FactGate(own_sentences=frozenset(), own_links=True)
    pressing = Press(scope=LENA, gate=gate, now=NOON, tokens=lambda _: 7)
    merge = Merge(frozenset({1, 2}), BOTH)
    pressed = pressing.press([merge, merge], GROUP, frozenset())
    assert (len(pressed.puts), pressed.refused) == (1, {Unmerged.UNKNOWN: 1})


def test_what_another_fact_says_already_is_no_place_for_two() -> None:
    gate = FactGate(own_sentences=frozenset(), own_links=True)
    pressing = Press(scope=LENA, gate=gate, now=NOON, tokens=lambda _: 7)
    standing = frozenset({PRAGUE.id, VIENNA.id, fact_id(LENA, BOTH)})
    assert pressing.press([Merge(frozenset({1, 2}), BOTH)], GROUP, standing).refused == {Unmerged.TAKEN: 1}


def test_one_of_the_facts_may_stand_for_both() -> None:
    longer = a_fact("Likes hiking in the Alps")
    group = (a_fact("Likes hiking"), longer)
    gate = FactGate(own_sentences=frozenset(), own_links=True)
    pressing = Press(scope=LENA, gate=gate, now=NOON, tokens=lambda _: 5)
    pressed = pressing.press([Merge(frozenset({1, 2}), longer.text)], group, frozenset(fact.id for fact in group))
    assert [fact.id for fact in pressed.puts] == [longer.id]
    assert pressed.drops == {group[0].id}


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (("Went to Rome on 2024-03-01", "Went to Rome on 2 April 2025"), "Went to Rome on 2024-03-01, 2 April 2025"),
        (("Isst kein Fleisch", "Isst keinen Fisch"), "Isst kein Fleisch, keinen Fisch"),
        (("喜欢喝绿茶", "喜欢喝红茶"), "喜欢喝绿茶、红茶"),
    ],
)
def test_dates_negations_and_texts_without_blanks_may_be_merged(texts: tuple[str, ...], text: str) -> None:
    assert distorts(text, texts) is None


@pytest.mark.parametrize(
    "text", ["Drinks tea under work, coffee before work", "Drinks no tea before work, coffee before work"]
)
def test_no_statement_is_turned_round(text: str) -> None:
    assert distorts(text, ("Drinks tea before work", "Drinks coffee before work")) is Unmerged.TURNED


def test_statements_of_which_one_is_turned_round_already_are_not_merged() -> None:
    texts = ("Drinks tea with milk", "Drinks no coffee with milk")
    assert distorts("Drinks tea, no coffee, with milk", texts) is Unmerged.TURNED


@pytest.mark.parametrize(
    ("text", "depends"), [("Flies home on 5 May", True), ("Flew home on 5 May 2024", False), ("Flies home", False)]
)
def test_a_day_without_a_year_means_what_it_means_when_it_is_said(text: str, depends: bool) -> None:  # noqa: FBT001 - a parameter
    assert depends_on_when(text) is depends


WORDS = st.lists(
    st.sampled_from(["Prague", "likes", "not", "without", "3", "7", "May", "2024", "2023", "tea", "coffee"]), max_size=8
)


@given(st.lists(WORDS.map(" ".join), min_size=2, max_size=4), WORDS.map(" ".join))
def test_nothing_that_is_let_pass_says_a_word_or_a_number_of_its_own(texts: list[str], text: str) -> None:
    if distorts(text, texts) is None:
        assert content_words(text) <= frozenset().union(*map(content_words, texts))
        assert values_said(text) <= frozenset().union(*map(values_said, texts))
