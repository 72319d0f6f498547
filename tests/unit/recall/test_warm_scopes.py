from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.application.recall.scopes import WarmScopes, scopes_of
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.ids import UserKey
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.indexes import MOST_READ_AT_ONCE
from tests.support.facts import a_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope

LENA, MAX = UserKey("acme", "lena"), UserKey("acme", "max")
COMPANY = SharedScope("acme")


class Counted:
    """`FactReads` that keeps what it was asked; `refused` may read nothing."""

    def __init__(self) -> None:
        self.stands: dict[FactScope, Facts] = {}
        self.asked: list[str] = []
        self.refused: set[UserKey] = set()

    def write(self, scope: FactScope, *texts: str) -> None:
        version = self.stands.get(scope, Facts()).head.version + 1
        facts = tuple(a_fact(text, scope) for text in texts)
        self.stands[scope] = Facts(FactsHead(version, len(facts)), facts)

    def head(self, user: UserKey, scope: FactScope) -> FactsHead:
        self.asked.append("head")
        return self._read(user, scope).head

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        self.asked.append("facts")
        return self._read(user, scope)

    def named(self, user: UserKey, scope: SharedScope, ids: Iterable[str]) -> Sequence[Fact]:
        self.asked.append("named")
        wanted = frozenset(ids)
        return [fact for fact in self._read(user, scope).facts if fact.id in wanted]

    def first(self, user: UserKey, scope: SharedScope, most: int) -> Sequence[Fact]:
        self.asked.append("first")
        return self._read(user, scope).facts[:most]

    def _read(self, user: UserKey, scope: FactScope) -> Facts:
        if user in self.refused:
            raise StoreUnavailable("DynamoDB denies it.")
        return self.stands.get(scope, Facts())


def test_a_chat_reads_the_user_s_facts_its_space_s_and_its_company_s() -> None:
    assert list(scopes_of(LENA, "s/1")) == [UserScope(LENA), SharedScope("acme", "s/1"), COMPANY]


def test_the_first_read_takes_everything_and_later_ones_the_head_until_it_moves() -> None:
    store = Counted()
    store.write(COMPANY, "A.")
    warm = WarmScopes(store)
    assert [warm.facts(LENA, COMPANY) for _ in range(3)] == [store.stands[COMPANY]] * 3
    assert store.asked == ["head", "facts", "head", "head"]
    store.write(COMPANY, "A.", "B.")
    assert len(warm.facts(LENA, COMPANY).facts) == 2
    assert store.asked[4:] == ["head", "facts"]


def test_a_user_s_own_facts_are_read_at_once_for_there_are_never_many() -> None:
    store, own = Counted(), UserScope(LENA)
    store.write(own, "A.")
    warm = WarmScopes(store)
    assert warm.facts(LENA, own) == warm.facts(LENA, own) == store.stands[own]
    assert store.asked == ["facts", "head"]


def test_of_a_large_shared_scope_only_the_head_is_read_and_those_facts_that_are_named() -> None:
    store = Counted()
    store.write(COMPANY, *map(str, range(MOST_READ_AT_ONCE + 1)))
    warm = WarmScopes(store)
    one, *_ = store.stands[COMPANY].facts
    assert warm.facts(LENA, COMPANY) == Facts(store.stands[COMPANY].head)
    assert warm.named(LENA, COMPANY, [one.id, "0" * 20]) == [one]
    assert store.asked == ["head", "head", "named"]


def test_named_facts_of_other_scopes_are_taken_from_what_is_warm() -> None:
    store = Counted()
    store.write(COMPANY, "A.", "B.")
    warm = WarmScopes(store)
    one, _ = warm.facts(LENA, COMPANY).facts
    assert warm.named(LENA, COMPANY, [one.id, "0" * 20]) == [one]
    assert warm.named(LENA, COMPANY, []) == ()
    assert "named" not in store.asked


def test_a_scope_in_which_nothing_stands_is_read_each_time_and_kept_nowhere() -> None:
    store = Counted()
    warm = WarmScopes(store)
    assert warm.facts(LENA, COMPANY) == warm.facts(LENA, COMPANY) == Facts()
    assert warm.facts(LENA, UserScope(LENA)) == warm.facts(LENA, UserScope(LENA)) == Facts()
    assert store.asked == ["head", "head", "facts", "facts"]


def test_a_scope_that_was_emptied_makes_room_for_others() -> None:
    store = Counted()
    own, other = (UserScope(UserKey("acme", name)) for name in ("a1", "b1"))
    warm = WarmScopes(store, most=4)
    for scope, texts in ((own, ("A.", "B.", "C.")), (own, ()), (other, ("D.", "E."))):
        store.write(scope, *texts)
        warm.facts(scope.user, scope)
    store.write(own, "F.", "G.")
    warm.facts(own.user, own)
    store.asked.clear()
    for scope in (own, other):
        warm.facts(scope.user, scope)
    assert store.asked == ["head", "head"]


def test_what_one_user_may_read_is_kept_from_another_who_may_not() -> None:
    store = Counted()
    store.write(COMPANY, "A.")
    store.refused = {MAX}
    warm = WarmScopes(store)
    warm.facts(LENA, COMPANY)
    with pytest.raises(StoreUnavailable):
        warm.facts(MAX, COMPANY)


def test_of_more_facts_than_may_be_kept_those_go_that_nobody_wanted_for_longest() -> None:
    store = Counted()
    scopes = [UserScope(UserKey("acme", name)) for name in ("a1", "b1", "c1")]
    for scope in scopes:
        store.write(scope, "A.", "B.")
    warm = WarmScopes(store, most=4)
    first, second, third = scopes
    for scope in (first, second, first, third):
        warm.facts(scope.user, scope)
    store.asked.clear()
    for scope in (first, third, second):
        warm.facts(scope.user, scope)
    assert store.asked == ["head", "head", "facts"]


def test_one_scope_is_kept_however_large_it_is() -> None:
    store = Counted()
    store.write(COMPANY, *map(str, range(10)))
    warm = WarmScopes(store, most=4)
    warm.facts(LENA, COMPANY)
    warm.facts(LENA, COMPANY)
    assert store.asked == ["head", "facts", "head"]
