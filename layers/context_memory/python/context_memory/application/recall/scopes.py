"""The facts that a user may read, kept warm while the version of their scope's head stands."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.indexes import MOST_READ_AT_ONCE
from context_memory.ports.recall import IndexedScope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactReads
    from context_memory.ports.indexes import LargeScope

MOST_KEPT = 20_000
"""Facts that one process keeps, over all scopes: some 30 MB with their vectors."""


def is_large(scope: FactScope, head: FactsHead) -> bool:
    """Whether a shared scope is too large to be read at once; a user's facts are capped below that."""
    return isinstance(scope, SharedScope) and head.count > MOST_READ_AT_ONCE


def scopes_of(user: UserKey, space_id: str) -> Sequence[FactScope]:
    """What a chat of the user in that space may recall."""
    return UserScope(user), SharedScope(user.company_id, space_id), SharedScope(user.company_id)


class WarmScopes:
    """Facts as they were read last.

    A user's rights are tried with each request: what is kept is only used once the head could be read with the
    credentials of the user who asks.

    Args:
        reads: the store.
        most: how many facts are kept; of more, those of scopes that nobody has asked for longest go.
    """

    def __init__(self, reads: FactReads, *, most: int = MOST_KEPT) -> None:
        self._reads = reads
        self._most = most
        self._kept: dict[str, Facts] = {}
        self._count = 0
        self._lock = Lock()

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope: one small read while nothing has changed. Of a large one the head alone.

        Raises:
            StoreUnavailable: nobody knows.
        """
        known = self._kept.get(scope.partition)
        if known is not None or isinstance(scope, SharedScope):
            # Of what is shared nobody knows how much it is, and most of it is nothing.
            head = self._reads.head(user, scope)
            if is_large(scope, head) or not head.count:
                known = Facts(head)
            elif known is None or known.head != head:
                known = self._reads.facts(user, scope)
        else:
            known = self._reads.facts(user, scope)
        self._keep(scope.partition, known)
        return known

    def named(self, user: UserKey, scope: FactScope, ids: Iterable[str]) -> Sequence[Fact]:
        """Those facts of a scope that still stand.

        Raises:
            StoreUnavailable: nobody knows.
        """
        wanted = frozenset(ids)
        if not wanted:
            return ()
        known = self.facts(user, scope)
        if isinstance(scope, SharedScope) and is_large(scope, known.head):
            return self._reads.named(user, scope, sorted(wanted))
        return [fact for fact in known.facts if fact.id in wanted]

    def first(self, user: UserKey, large: LargeScope) -> IndexedScope:
        """As many facts of a large scope as may be read at once, for a question that no index of it answers.

        Raises:
            StoreUnavailable: nobody knows.
        """
        name = f"{large.scope.partition}#first"
        known = self._kept.get(name)
        if known is None or known.head.version != large.version:
            facts = self._reads.first(user, large.scope, MOST_READ_AT_ONCE)
            known = Facts(FactsHead(large.version, len(facts)), tuple(facts))
        self._keep(name, known)
        return IndexedScope(large.scope, large.version, known.facts)

    def _keep(self, name: str, facts: Facts) -> None:
        """Keep what was read. Without facts there is nothing to keep: reading the head again takes as long."""
        with self._lock:
            self._count -= len(self._kept.pop(name, Facts()).facts)
            if not facts.facts:
                return
            self._kept[name] = facts  # behind all others: the first is the one to go
            self._count += len(facts.facts)
            while self._count > self._most and len(self._kept) > 1:
                self._count -= len(self._kept.pop(next(iter(self._kept))).facts)
