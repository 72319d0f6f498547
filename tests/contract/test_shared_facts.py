from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import batched
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import VersionConflict
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.ports.facts import MOST_CHANGES, Facts, FactsHead
from tests.support.facts import COMPANY, SALES, a_fact
from tests.support.records import LENA
from tests.support.stored_facts import full_fact, store

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact
    from tests.support.stores import Stores

OTHERS = (
    SharedScope("acme-2", "sales"),
    SharedScope("acme-2"),
    SharedScope("acme", "Sales"),
    SharedScope("acme", "sales/"),
    SharedScope("acme", "sales#"),
    SharedScope("acme", "global"),
    SharedScope("acme", ".."),
)
"""Scopes that could be taken for ours by a careless key."""


def write(stores: Stores, scope: SharedScope, *puts: Fact, drops: tuple[str, ...] = ()) -> FactsHead:
    known = stores.shared_facts.facts(scope)
    return stores.shared_facts.change(scope, known.head, puts, drops, count=known.count_after(puts, drops))


def texts(stores: Stores, scope: SharedScope) -> list[str]:
    return sorted(one.text for one in stores.shared_facts.facts(scope).facts)


@pytest.mark.parametrize("scope", [COMPANY, SALES], ids=repr)
def test_what_administrators_write_is_read_by_them_and_by_every_user(stores: Stores, scope: SharedScope) -> None:
    known = full_fact(scope=scope)
    head = write(stores, scope, known)
    expected = Facts(head, (known,))
    assert head.count == 1
    assert stores.shared_facts.facts(scope) == expected
    assert stores.shared_facts.head(scope) == head
    assert stores.facts.facts(LENA, scope) == expected
    assert stores.facts.head(LENA, scope) == head


def test_single_facts_are_read_by_every_user_of_the_company_alone(stores: Stores) -> None:
    known, other = full_fact(scope=SALES), a_fact("Closes at six.", SALES)
    write(stores, SALES, known, other)
    assert stores.facts.named(LENA, SALES, [known.id, "0" * 20]) == [known]
    assert stores.facts.named(LENA, COMPANY, [known.id]) == []
    write(stores, SALES, drops=(known.id,))
    assert stores.facts.named(LENA, SALES, [known.id]) == []


def test_of_many_single_facts_each_is_read_once(stores: Stores) -> None:
    facts = [a_fact(f"Room {number} is taken.", SALES) for number in range(130)]
    for few in batched(facts, MOST_CHANGES, strict=False):
        write(stores, SALES, *few)
    found = stores.facts.named(LENA, SALES, [fact.id for fact in (*facts, *facts[:5])])
    assert sorted(fact.text for fact in found) == sorted(fact.text for fact in facts)
    assert stores.facts.named(LENA, SALES, []) == []


def test_a_scope_in_which_nothing_was_written_is_empty(stores: Stores) -> None:
    assert stores.shared_facts.facts(SALES) == stores.facts.facts(LENA, SALES) == Facts()
    assert stores.shared_facts.head(SALES) == stores.facts.head(LENA, SALES) == FactsHead()
    assert stores.shared_facts.scopes("acme") == []


def test_scopes_have_their_facts_for_themselves(stores: Stores) -> None:
    for scope in (SALES, COMPANY, *OTHERS):
        write(stores, scope, a_fact(f"Of {scope}", scope))
    store(stores, a_fact("Of Lena", UserScope(LENA)))
    assert [texts(stores, scope) for scope in (SALES, COMPANY, *OTHERS)] == [
        [f"Of {scope}"] for scope in (SALES, COMPANY, *OTHERS)
    ]
    mine = {SALES, COMPANY, *(scope for scope in OTHERS if scope.company_id == "acme")}
    assert set(stores.shared_facts.scopes("acme")) == mine
    assert len(stores.shared_facts.scopes("acme")) == len(mine)


def test_a_write_puts_replaces_and_drops(stores: Stores) -> None:
    write(stores, SALES, a_fact("A", SALES), a_fact("B", SALES))
    head = write(
        stores, SALES, a_fact("B", SALES, tokens=9), a_fact("C", SALES), drops=(a_fact("A", SALES).id, "f" * 20)
    )
    assert (texts(stores, SALES), head.count) == (["B", "C"], 2)
    assert {one.text: one.tokens for one in stores.shared_facts.facts(SALES).facts} == {"B": 9, "C": 4}


def test_writes_go_on_from_the_head_that_the_one_before_returned(stores: Stores) -> None:
    first = stores.shared_facts.change(SALES, FactsHead(), [a_fact("A", SALES)], [], count=1)
    second = stores.shared_facts.change(SALES, first, [a_fact("B", SALES)], [], count=2)
    assert second == FactsHead(first.version + 1, 2)


def test_whoever_comes_second_is_told_which_version_counts(stores: Stores) -> None:
    head = write(stores, SALES, a_fact("A", SALES))
    for outdated in (FactsHead(), FactsHead(head.version - 1, 1)):
        with pytest.raises(VersionConflict) as conflict:
            stores.shared_facts.change(SALES, outdated, [a_fact("B", SALES)], [], count=2)
        assert conflict.value.version == head.version
    assert texts(stores, SALES) == ["A"]


def test_of_many_writes_at_once_none_is_lost(stores: Stores) -> None:
    def add(number: int) -> None:
        while True:
            try:
                write(stores, SALES, a_fact(f"Fact {number}", SALES))
            except VersionConflict:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(8)))
    assert len(texts(stores, SALES)) == stores.shared_facts.head(SALES).count == 8


def test_more_than_one_transaction_holds_is_refused_before_anything_is_written(stores: Stores) -> None:
    many = [a_fact(f"Fact {number}", SALES) for number in range(MOST_CHANGES + 1)]
    with pytest.raises(ValueError, match="at most"):
        stores.shared_facts.change(SALES, FactsHead(), many, [], count=len(many))
    with pytest.raises(ValueError, match="once"):
        stores.shared_facts.change(SALES, FactsHead(), many[:1], [many[0].id], count=0)
    assert stores.shared_facts.facts(SALES) == Facts()


def test_a_scope_is_cleared_whole_and_no_other(stores: Stores) -> None:
    for first in range(0, 210, 70):
        write(stores, SALES, *(a_fact(f"Fact {number}", SALES) for number in range(first, first + 70)))
    write(stores, COMPANY, a_fact("Of all", COMPANY))
    write(stores, OTHERS[3], a_fact("Of others", OTHERS[3]))
    assert stores.shared_facts.clear(SALES) == 210
    assert stores.shared_facts.facts(SALES) == Facts()
    assert set(stores.shared_facts.scopes("acme")) == {COMPANY, OTHERS[3]}
    assert (texts(stores, COMPANY), texts(stores, OTHERS[3])) == (["Of all"], ["Of others"])
    assert stores.shared_facts.clear(SALES) == 0


def test_whoever_read_before_a_scope_was_cleared_is_refused(stores: Stores) -> None:
    head = write(stores, COMPANY, a_fact("A", COMPANY))
    stores.shared_facts.clear(COMPANY)
    with pytest.raises(VersionConflict):
        stores.shared_facts.change(COMPANY, head, [a_fact("B", COMPANY)], [], count=2)
    assert stores.shared_facts.facts(COMPANY) == Facts()
    assert stores.shared_facts.scopes("acme") == []


def test_no_version_comes_again_in_a_scope_that_was_cleared(stores: Stores) -> None:
    before = write(stores, SALES, a_fact("A", SALES))
    stores.shared_facts.clear(SALES)
    stores.pass_time(1)
    assert write(stores, SALES, a_fact("A", SALES)).version > before.version + 1000


def test_whoever_writes_while_a_scope_is_cleared_is_refused_or_found(stores: Stores) -> None:
    write(stores, SALES, *(a_fact(f"Fact {number}", SALES) for number in range(80)))

    def add(number: int) -> bool:
        try:
            write(stores, SALES, a_fact(f"Late {number}", SALES))
        except VersionConflict:
            return False
        return True

    with ThreadPoolExecutor(3) as pool:
        cleared = pool.submit(stores.shared_facts.clear, SALES)
        list(pool.map(add, range(4)))
        assert cleared.result() >= 80
    left = stores.shared_facts.facts(SALES)
    assert left.head.count == len(left.facts)
    assert all(one.text.startswith("Late") for one in left.facts)


@pytest.mark.parametrize("scope", [SALES, COMPANY], ids=str)
def test_some_facts_are_read_with_the_head_of_all(stores: Stores, scope: SharedScope) -> None:
    facts = [a_fact(f"Fact number {number}", scope) for number in range(90)]
    write(stores, scope, *facts)
    for wanted in ([facts[3]], facts[:9]):
        found = stores.shared_facts.some(scope, [*(one.id for one in wanted), "f" * 20])
        assert found.head == stores.shared_facts.head(scope)
        assert {one.id for one in wanted} <= {one.id for one in found.facts} <= {one.id for one in facts}
    assert stores.shared_facts.some(SharedScope("acme", "elsewhere"), [facts[0].id]) == Facts()


def test_pages_follow_one_another_in_the_order_of_ids(stores: Stores) -> None:
    scope, tiers = SALES, (Tier.CORE, Tier.ARCHIVAL)
    facts = sorted((a_fact(f"Fact {n}", scope, tier=tiers[n % 2]) for n in range(25)), key=lambda one: one.id)
    write(stores, scope, *facts)
    seen: list[Fact] = []
    while page := stores.shared_facts.page(scope, after=seen[-1].id if seen else None, limit=7).facts:
        seen += page
    assert seen == facts
    assert stores.shared_facts.page(scope, after=None, limit=7).head.count == 25
    behind_what_is_gone = stores.shared_facts.page(scope, after=f"{facts[4].id[:-1]}~"[:20], limit=1)
    assert behind_what_is_gone.facts[0].id > facts[4].id[:-1]
    core = stores.shared_facts.page(scope, after=facts[0].id, limit=30, tier=Tier.CORE).facts
    assert list(core) == [one for one in facts[1:] if one.tier is Tier.CORE]
