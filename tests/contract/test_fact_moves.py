"""What merges write of one user's facts, and keep beside them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.fact import Fact, Past, Source, Tier, fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.vectors import Vector
from context_memory.domain.ids import UserKey
from context_memory.domain.merging import MergeMark
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.moving import MOST_MOVED, FactsMove
from context_memory.ports.users import Rules
from tests.support.stores import at

if TYPE_CHECKING:
    from tests.support.stores import Stores

LENA, SCOPE = UserKey("acme", "lena"), UserScope(UserKey("acme", "lena"))


def fact(text: str, **changes: Any) -> Fact:  # noqa: ANN401 - as `Fact`
    usual: dict[str, Any] = {
        "id": fact_id(SCOPE, text),
        "tier": Tier.CONTEXTUAL,
        "text": text,
        "tokens": 4,
        "created_at": at(1),
        "last_confirmed_at": at(2),
    }
    return Fact(**usual | changes)


RICH = fact(
    "Lives in Basel.",
    keywords=("Switzerland",),
    vector=Vector("small@1", b"\x01\x7f"),
    source=Source("t-1", "c-1", "telegram:123"),
    uses=3,
    supersedes=(Past("0" * 20, "Lives in Bern.", at(0)),),
)
MARK = MergeMark(fact_id=RICH.id, stood=True, print="0f")


NOTHING = FactsHead()


def move(base: FactsHead = NOTHING, **changes: Any) -> FactsMove:  # noqa: ANN401 - as `FactsMove`
    usual: dict[str, Any] = {
        "user": LENA,
        "merge_id": "m-1",
        "base": base,
        "epoch": 0,
        "rules": 0,
        "at": at(3),
        "expires_at": at(3) + timedelta(days=32),
        "count": 0,
    }
    return FactsMove(**usual | changes)


def facts(stores: Stores, user: UserKey = LENA) -> Facts:
    return stores.facts.facts(user, UserScope(user))


def test_a_fact_that_is_taken_is_kept_as_it_was_and_found_by_its_merge_alone(stores: Stores) -> None:
    stores.moves.move(move(puts=(RICH,), count=1))
    stores.moves.move(move(facts(stores).head, drops=frozenset({RICH.id}), keeps=(RICH,)))
    assert (facts(stores).facts, facts(stores).head.count) == ((), 0)
    assert list(stores.moves.moved(LENA, "m-1", 0)) == [RICH]
    for merge_id in ("m-", "m-11", "m-2", "m-1#"):
        assert list(stores.moves.moved(LENA, merge_id, 0)) == []
    assert list(stores.moves.moved(UserKey("acme", "len"), "m-1", 0)) == []
    assert list(stores.moves.moved(LENA, "m-1", 1)) == []


def test_what_is_kept_of_a_merge_is_no_fact_of_the_user(stores: Stores) -> None:
    stores.moves.move(move(keeps=(RICH,), marks=(MARK,)))
    assert facts(stores).facts == ()


def test_a_moved_fact_goes_back_whole(stores: Stores) -> None:
    stores.moves.move(move(keeps=(RICH,)))
    stores.moves.move(move(facts(stores).head, puts=(RICH,), releases=frozenset({RICH.id}), count=1))
    assert facts(stores).facts == (RICH,)
    assert list(stores.moves.moved(LENA, "m-1", 0)) == []


def test_marks_are_put_once_and_go(stores: Stores) -> None:
    stores.moves.move(move(puts=(RICH,), marks=(MARK,), count=1))
    assert list(stores.moves.marks(LENA, "m-1", 0)) == [MARK]
    assert list(stores.moves.marks(LENA, "m-2", 0)) == []
    with pytest.raises(CommitRefused) as refused:
        stores.moves.move(move(facts(stores).head, marks=(MARK,), count=1))
    assert refused.value.clauses == {"mark"}
    stores.moves.move(move(facts(stores).head, unmarks=frozenset({RICH.id}), count=1))
    assert list(stores.moves.marks(LENA, "m-1", 0)) == []
    assert facts(stores).facts == (RICH,)


def test_a_write_upon_another_version_changes_nothing(stores: Stores) -> None:
    stores.moves.move(move(puts=(RICH,), count=1))
    stale = facts(stores).head
    stores.moves.move(move(stale, puts=(fact("Has a cat."),), count=2))
    with pytest.raises(CommitRefused) as refused:
        stores.moves.move(move(stale, drops=frozenset({RICH.id}), keeps=(RICH,), count=0))
    assert refused.value.clauses == {"facts"}
    assert RICH in facts(stores).facts
    assert list(stores.moves.moved(LENA, "m-1", 0)) == []


@pytest.mark.parametrize("read", [0, 2])
def test_whoever_has_not_read_the_users_rules_as_they_stand_is_refused(stores: Stores, read: int) -> None:
    stores.table.change_rules(
        LENA, UserSettings(), Rules(pins=frozenset(), deny_phrases=("rum",), deny_kinds=frozenset())
    )
    with pytest.raises(CommitRefused) as refused:
        stores.moves.move(move(puts=(RICH,), count=1, rules=read))
    assert refused.value.clauses == {"settings"}
    stores.moves.move(move(puts=(RICH,), count=1, rules=1))
    assert facts(stores).facts == (RICH,)


@pytest.mark.parametrize(
    "settings",
    [
        UserSettings(epoch=1),
        UserSettings(epoch=0, context_memory=False),
        UserSettings(epoch=0, erase_running=True),
    ],
)
def test_who_is_erased_or_off_is_written_to_no_more(stores: Stores, settings: UserSettings) -> None:
    stores.write_settings(LENA, settings)
    with pytest.raises(CommitRefused) as refused:
        stores.moves.move(move(puts=(RICH,), marks=(MARK,), count=1))
    assert "settings" in refused.value.clauses
    assert list(stores.moves.marks(LENA, "m-1", 0)) == []


def test_an_erase_takes_what_merges_keep(stores: Stores) -> None:
    other = fact("Has a cat.")
    stores.moves.move(move(keeps=(RICH, other), marks=(MARK,)))
    stores.write_settings(LENA, UserSettings(epoch=1))
    found = [one for batch in stores.items_left.found(LENA, 1) for one in batch]
    stores.items_left.delete(LENA, 1, found)
    assert [one for batch in stores.items_left.found(LENA, 1) for one in batch] == []
    for epoch in (0, 1):
        assert list(stores.moves.moved(LENA, "m-1", epoch)) == []
        assert list(stores.moves.marks(LENA, "m-1", epoch)) == []


def test_as_many_facts_move_at_once_as_a_transaction_holds(stores: Stores) -> None:
    many = tuple(fact(f"Fact {number}.") for number in range(MOST_MOVED))
    stores.moves.move(move(puts=many, count=MOST_MOVED))
    ids = frozenset(one.id for one in many)
    stores.moves.move(move(facts(stores).head, drops=ids, keeps=many))
    assert len(stores.moves.moved(LENA, "m-1", 0)) == MOST_MOVED
    with pytest.raises(ValueError, match="100 items"):
        move(puts=many, drops=frozenset(map(str, range(54))))


def test_every_write_counts_so_that_no_index_that_is_kept_warm_outlives_it(stores: Stores) -> None:
    stores.moves.move(move(puts=(RICH,), count=1))
    first = facts(stores).head
    stores.moves.move(move(first, puts=(replace(RICH, uses=4),), count=1))
    assert facts(stores).head.version == first.version + 1
