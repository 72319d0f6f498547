# ruff: noqa: RUF001 - texts in other scripts have their own letters and marks
"""What every backend does with facts: found by their words in any script, by meaning where there are vectors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.lance.service import LanceService
from context_memory.domain.facts.fact import Fact, Source, Tier
from context_memory.domain.facts.vectors import Vector, quantised
from context_memory.domain.recall.match import Match, Query
from context_memory.ports.recall import FactIndex, IndexedScope, Indexes
from tests.support.facts import COMPANY, LENA, NOON, SALES, a_fact
from tests.support.lance_tables import WrittenAndRead, asking

if TYPE_CHECKING:
    from pathlib import Path

type MakeIndexes = Callable[[], Indexes]


@pytest.fixture(params=["sqlite_fts", "lance"])
def make_indexes(request: pytest.FixtureRequest, tmp_path: Path) -> MakeIndexes:
    if request.param == "sqlite_fts":
        return WarmIndexes
    folders = count()  # a new one for each, as each backend in memory is a new one
    return lambda: WrittenAndRead(asking(LanceService(root=f"{tmp_path}/{next(folders)}", options={})), model="e5")


def of(make_indexes: MakeIndexes, *facts: Fact | str) -> FactIndex:
    return make_indexes().over([scope(*facts)])


def scope(*facts: Fact | str, version: int = 1) -> IndexedScope:
    return IndexedScope(LENA, version, [a_fact(fact) if isinstance(fact, str) else fact for fact in facts])


def texts(matches: Sequence[Match]) -> list[str]:
    return [match.fact.text for match in matches]


def pointing(degrees: float, model: str = "e5") -> Vector:
    return quantised(model, [math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.2])


@pytest.mark.parametrize(
    ("fact", "query"),
    [
        pytest.param("我住在苏黎世，有一只黑猫。", "苏黎世", id="Chinese name"),
        pytest.param("我住在苏黎世，有一只黑猫。", "你的猫叫什么？", id="Chinese word of one character"),
        pytest.param("用户在银行做风险分析。", "她在哪家银行工作？", id="Chinese word of two characters"),
        pytest.param("東京で猫を飼っている", "東京のどこに住んでいますか", id="Japanese name"),
        pytest.param("東京で猫を飼っている", "猫が好きですか", id="Japanese word of one character"),
        pytest.param("新しいコーヒーメーカーを買った", "コーヒー", id="Japanese compound"),
        pytest.param("ｶﾀｶﾅで書く", "カタカナ", id="half-width Japanese"),
        pytest.param("서울에 있는 회사에서 일한다", "회사는 어디야?", id="Korean"),
        pytest.param("ทำงานที่ธนาคารในกรุงเทพ", "ธนาคาร", id="Thai"),
        pytest.param("बैंक में काम करती है", "बैंक", id="Hindi, with marks inside words"),
        pytest.param("Lives in Zürich", "zurich", id="accent left out"),
        pytest.param("Lives in Zurich", "ZÜRICH", id="accent and capitals added"),
        pytest.param("Heißt Müller", "Mueller", id="umlaut spelled out"),
        pytest.param("Wohnt an der Hauptstrasse", "Hauptstraße", id="sharp s"),
        pytest.param("Works at the café", "cafe\u0301", id="composed and decomposed"),
        pytest.param("Has a private Krankenversicherung", "Versicherung", id="end of a compound"),
        pytest.param("Zahlt Versicherungsbeiträge", "Versicherung", id="beginning of a compound"),
        pytest.param("Kauft Versicherungen", "Versicherungsvertrag", id="part of a compound that is asked for"),
        pytest.param("Prefers e-mail to calls", "email", id="hyphen left out"),
        pytest.param("Prefers email to calls", "e-mail", id="hyphen added"),
        pytest.param("Runs marathons", "running a marathon", id="English forms"),
        pytest.param("Zwei Kinder gehen zur Schule", "Kind", id="German plural"),
        pytest.param("Lebt in alten Häusern", "Haus", id="German plural with umlaut"),
        pytest.param("Travaille dans une école", "travailler à l'école", id="French forms"),
        pytest.param("Trabaja en un banco", "¿dónde está trabajando?", id="Spanish forms"),
        pytest.param("Lavora in banca", "lavorare", id="Italian forms"),
        pytest.param("Trabalha num hospital", "trabalhar", id="Portuguese forms"),
        pytest.param("Werkt in een ziekenhuis", "waar werken ze?", id="Dutch forms"),
        pytest.param("Живёт в Москве, работает врачом", "врач", id="Russian forms"),
        pytest.param("Uses Python 3.13", "python 3.13", id="figures"),
        pytest.param("Sings", "What about 'sings'?", id="quotes"),
    ],
)
def test_a_fact_is_found_by_keyword_alone(make_indexes: MakeIndexes, fact: str, query: str) -> None:
    index = of(make_indexes, "Plays chess on Sundays", fact, "Owns a red bicycle")
    assert texts(index.search(Query(text=query)))[:1] == [fact]


@pytest.mark.parametrize(
    ("fact", "query"),
    [
        ("Lives in Basel", "Zurich"),
        ("有一只黑猫", "苏黎世"),
        ("Likes the sea", "the"),
        ("Der Krieg war lang", "was war der die das?"),
    ],
)
def test_what_no_word_speaks_for_is_not_found(make_indexes: MakeIndexes, fact: str, query: str) -> None:
    index = of(make_indexes, fact, "Owns a red bicycle")
    assert "Owns a red bicycle" not in texts(index.search(Query(text=query)))


def test_the_fact_that_holds_more_of_the_query_comes_first(make_indexes: MakeIndexes) -> None:
    index = of(make_indexes, "Likes tea", "Likes green tea from Japan", "Travelled to Japan")
    assert texts(index.search(Query(text="green tea Japan")))[0] == "Likes green tea from Japan"


def test_a_fact_is_found_by_its_keywords(make_indexes: MakeIndexes) -> None:
    index = of(make_indexes, a_fact("Plays the cello", keywords=("music", "instrument")), "Owns a red bicycle")
    assert texts(index.search(Query(text="Which instrument?"))) == ["Plays the cello"]


@pytest.mark.parametrize("query", ["What happened in June 2026?", "Was war im Juni 2026?", "2026年6月"])
def test_a_fact_is_found_by_the_month_it_was_stated_in(make_indexes: MakeIndexes, query: str) -> None:
    year_before = a_fact("Moved house", created_at=NOON - timedelta(days=400))
    assert texts(of(make_indexes, year_before, "Bought a boat").search(Query(text=query)))[0] == "Bought a boat"


def test_the_words_around_a_fact_in_its_chat_lead_to_it_too(make_indexes: MakeIndexes) -> None:
    def said(text: str, minute: int, chat: str) -> Fact:
        return a_fact(text, created_at=NOON + timedelta(minutes=minute), source=Source(f"t{minute}", chat))

    index = of(
        make_indexes,
        said("Plans a trip to Iceland", 0, "chat-1"),
        said("Leaves on the ninth", 1, "chat-1"),
        said("Pays the rent on the first", 1, "chat-2"),
    )
    assert texts(index.search(Query(text="Iceland"))) == ["Plans a trip to Iceland", "Leaves on the ninth"]


def test_of_identical_texts_the_best_is_found_once_whatever_their_scopes(make_indexes: MakeIndexes) -> None:
    own = a_fact("Invoices go out on Mondays", last_confirmed_at=NOON)
    shared = a_fact("invoices go out on mondays.", COMPANY, last_confirmed_at=NOON + timedelta(days=1))
    index = make_indexes().over([scope(own), IndexedScope(COMPANY, 1, [shared]), IndexedScope(SALES, 1, [])])
    assert [(match.fact, match.scope) for match in index.search(Query(text="invoices"))] == [(shared, COMPANY)]


def test_of_facts_as_good_as_each_other_the_one_confirmed_last_comes_first(make_indexes: MakeIndexes) -> None:
    facts = [
        a_fact(f"Likes tea {name}", last_confirmed_at=NOON + timedelta(days=day))
        for name, day in (("Assam", 1), ("Sencha", 3), ("Oolong", 2))
    ]
    found = of(make_indexes, *facts).search(Query(text="tea"))
    assert texts(found) == ["Likes tea Sencha", "Likes tea Oolong", "Likes tea Assam"]


def test_no_more_is_found_than_is_asked_for(make_indexes: MakeIndexes) -> None:
    index = of(make_indexes, *(f"Likes tea number {at}" for at in range(20)))
    assert len(index.search(Query(text="tea", limit=7))) == 7


def test_scores_lie_between_0_and_1_and_fall(make_indexes: MakeIndexes) -> None:
    facts = [a_fact(f"Likes tea {'green ' * at}", vector=pointing(3 * at)) for at in range(60)]
    scores = [match.score for match in of(make_indexes, *facts).search(Query(text="green tea", vector=pointing(90)))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_fact_is_found_by_meaning_where_no_word_leads_to_it(make_indexes: MakeIndexes) -> None:
    near, far = a_fact("Has a spaniel", vector=pointing(10)), a_fact("Owns a bicycle", vector=pointing(100))
    found = of(make_indexes, far, near).search(Query(text="pet", vector=pointing(0)))
    assert (found[0].fact, found[0].why) == (near, ("meaning",))


def test_a_match_says_which_legs_found_it(make_indexes: MakeIndexes) -> None:
    near, far = a_fact("Has a spaniel", vector=pointing(10)), a_fact("Has a house", vector=pointing(170))
    found = of(make_indexes, far, near).search(Query(text="a spaniel or a house", vector=pointing(0)))
    assert {match.fact.text: match.why for match in found} == {
        "Has a spaniel": ("keywords", "meaning"),
        "Has a house": ("keywords",),
    }


def test_vectors_of_another_model_or_size_say_nothing(make_indexes: MakeIndexes) -> None:
    other_model = a_fact("Has a spaniel", vector=pointing(0, "another"))
    other_size = a_fact("Has a poodle", vector=quantised("e5", [1.0, 0.0]))
    without = a_fact("Has a terrier")
    right = a_fact("Has a cat", vector=pointing(60))
    found = of(make_indexes, other_model, other_size, without, right).search(Query(text="?", vector=pointing(0)))
    assert texts(found) == ["Has a cat"]


def test_facts_of_the_chat_are_ranked_with_the_rest_and_gone_afterwards(make_indexes: MakeIndexes) -> None:
    index = of(make_indexes, "Likes green tea")
    said = a_fact("Drinks black tea today", tier=Tier.EPHEMERAL)
    found = index.search(Query(text="black tea", ephemeral=(said,)))
    assert [(match.fact.text, match.scope) for match in found] == [
        ("Drinks black tea today", None),
        ("Likes green tea", LENA),
    ]
    assert texts(index.search(Query(text="black tea"))) == ["Likes green tea"]


def test_a_new_version_of_a_scope_is_another_index(make_indexes: MakeIndexes) -> None:
    indexes = make_indexes()
    assert texts(indexes.over([scope("Likes tea")]).search(Query(text="tea coffee"))) == ["Likes tea"]
    after = indexes.over([scope("Likes coffee", version=2)])
    assert texts(after.search(Query(text="tea coffee"))) == ["Likes coffee"]


def test_the_same_version_of_another_epoch_or_scope_is_another_index(make_indexes: MakeIndexes) -> None:
    indexes = make_indexes()
    indexes.over([scope("Likes tea")])
    erased = IndexedScope(LENA, 1, [a_fact("Likes coffee")], epoch=1)
    others = IndexedScope(SALES, 1, [a_fact("Likes coffee", SALES)])
    for another in (erased, others):
        assert texts(indexes.over([another]).search(Query(text="tea coffee"))) == ["Likes coffee"]


@pytest.mark.parametrize("facts", [(), ("Likes tea",)], ids=["no fact", "one fact"])
@pytest.mark.parametrize(
    "query", ["", "?!", "tea", '"', "a OR b NEAR(c) NOT", "said:*", "^tea -x", "x" * 100_000, "\0"]
)
def test_odd_queries_are_harmless(make_indexes: MakeIndexes, facts: tuple[str, ...], query: str) -> None:
    found = of(make_indexes, *facts).search(Query(text=query, vector=pointing(0)))
    assert len(found) <= len(facts)


@given(st.text(max_size=200), st.text(min_size=1, max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_is_a_harmless_query_and_a_harmless_fact(make_indexes: MakeIndexes, query: str, text: str) -> None:
    found = of(make_indexes, text).search(Query(text=query, ephemeral=(a_fact(query or "?", tier=Tier.EPHEMERAL),)))
    assert len(found) <= 2
