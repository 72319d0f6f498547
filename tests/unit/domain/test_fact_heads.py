from __future__ import annotations

import pytest

from context_memory.domain.facts.fact import Fact, Tier
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.scopes import SharedScope, UserScope, readable
from context_memory.domain.ids import UserKey
from context_memory.domain.outcomes import Outcome
from context_memory.ports.facts import ExtractionEnd, Facts, FactsChange, FactsHead, pending_extraction
from tests.support.records import LENA, LOOK_ALIKES, turn_record
from tests.support.stores import at


def fact(name: str) -> Fact:
    return Fact(id=name, tier=Tier.CORE, text=name, tokens=1, created_at=at(0), last_confirmed_at=at(0))


def change(*, puts: int = 0, drops: int = 0, ends: int = 0) -> FactsChange:
    ended = tuple(
        ExtractionEnd(
            pending=pending_extraction(turn_record(f"t{number}"), Outcome.NOOP, forgets=False),
            outcome=FactsOutcome.STORED,
            counts=FactsCounts(),
        )
        for number in range(ends)
    )
    return FactsChange(
        user=LENA,
        base=FactsHead(),
        epoch=0,
        at=at(1),
        puts=tuple(fact(f"put-{number}") for number in range(puts)),
        drops=frozenset(f"drop-{number}" for number in range(drops)),
        ends=ended,
    )


def test_versions_go_up_by_one_and_begin_anew_higher_than_they_ended() -> None:
    first = FactsHead().following(1, at(0))
    second = first.following(2, at(0))
    assert (second.version, second.count) == (first.version + 1, 2)
    assert FactsHead().following(1, at(1)).version > second.version


def test_facts_are_counted_once_whether_they_are_new_or_replaced() -> None:
    known = Facts(FactsHead(1, 2), (fact("a"), fact("b")))
    assert known.count_after([fact("b"), fact("c")]) == 3
    assert known.count_after([fact("c")], ["a", "never there"]) == 2


@pytest.mark.parametrize(("puts", "drops", "ends"), [(90, 0, 4), (45, 45, 4), (0, 0, 49), (1, 0, 48)])
def test_a_change_fills_a_transaction(puts: int, drops: int, ends: int) -> None:
    assert len(change(puts=puts, drops=drops, ends=ends).puts) == puts


@pytest.mark.parametrize(("puts", "drops", "ends"), [(91, 0, 0), (45, 46, 0), (90, 0, 5), (0, 0, 50), (1, 0, 49)])
def test_a_change_that_no_transaction_holds_is_refused(puts: int, drops: int, ends: int) -> None:
    with pytest.raises(ValueError, match=r"holds|at most"):
        change(puts=puts, drops=drops, ends=ends)


def test_a_fact_is_not_put_and_dropped_at_once() -> None:
    with pytest.raises(ValueError, match="once"):
        FactsChange(user=LENA, base=FactsHead(), epoch=0, at=at(1), puts=(fact("a"),), drops=frozenset({"a"}), count=1)


def test_users_read_their_own_facts_and_those_of_their_company() -> None:
    for scope in (UserScope(LENA), SharedScope("acme"), SharedScope("acme", "sales")):
        assert readable(scope, LENA) is scope


@pytest.mark.parametrize(
    "scope", [*map(UserScope, LOOK_ALIKES), SharedScope("acme-2"), SharedScope("acme-2", "sales")], ids=str
)
def test_users_read_no_other_facts(scope: UserScope | SharedScope) -> None:
    with pytest.raises(PermissionError):
        readable(scope, UserKey("acme", "lena"))
