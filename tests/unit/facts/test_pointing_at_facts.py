"""Which facts a wish to forget means: those its words point at, and never more than it names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.facts.pointing import pointed_at, told_by
from context_memory.domain.reconcile import Grounds
from context_memory.domain.reconcile.support import Support

AT = datetime(2026, 6, 17, 11, 40, tzinfo=UTC)
KNOWN = (
    "Lives in Basel.",
    "Works at Novartis in Basel.",
    "Owns a canoe.",
    "Spielt Oboe im Orchester.",
    "住在上海。",
)


def meant(wish: str, *texts: str) -> set[str]:
    return set(pointed_at(texts or KNOWN, wish, Support.of(Grounds(wish, AT, forget=True))))


@pytest.mark.parametrize(
    ("wish", "gone"),
    [
        ("Forget that I live in Basel.", {"Lives in Basel."}),
        ("Please delete what you know about Novartis.", {"Works at Novartis in Basel."}),
        ("Vergiss, dass ich Oboe spiele.", {"Spielt Oboe im Orchester."}),
        ("忘记我住在上海。", {"住在上海。"}),
        ("Forget everything you know about me.", set(KNOWN)),
        ("Forget everything about my canoe.", {"Owns a canoe."}),
        ("Forget what I said about Zurich.", set()),
    ],
)
def test_a_wish_means_what_it_names(wish: str, gone: set[str]) -> None:
    assert meant(wish) == gone


def test_a_word_that_many_facts_hold_points_at_none_of_them() -> None:
    assert meant("Forget my cats.", *(f"Has cats called Whiskers{number}." for number in range(3))) == set()


def test_a_fact_says_what_a_bullet_said_if_it_tells_mostly_that() -> None:
    bullet = "Works as a credit risk analyst at UBS."
    texts = ["Is a credit risk analyst at UBS.", "Had lunch at UBS.", "Lives in Basel."]
    assert told_by(texts, [bullet]) == {"Is a credit risk analyst at UBS."}


@given(st.lists(st.text(max_size=30), max_size=5), st.text(max_size=60))
def test_no_wish_means_what_is_not_there(texts: list[str], wish: str) -> None:
    assert meant(wish, *texts) <= {*texts, *(() if texts else KNOWN)}
