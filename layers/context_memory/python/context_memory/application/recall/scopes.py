"""The facts that a user may read, kept warm while the version of their scope's head stands."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import SharedScope, UserScope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactReads, Facts

MOST_KEPT = 20_000
"""Facts that one process keeps, over all scopes: some 30 MB with their vectors."""


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
        self._lock = Lock()

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope: one small read while nothing has changed.

        Raises:
            StoreUnavailable: nobody knows.
        """
        known = self._kept.get(scope.partition)
        if known is None or self._reads.head(user, scope) != known.head:
            known = self._reads.facts(user, scope)
        self._keep(scope, known)
        return known

    def _keep(self, scope: FactScope, facts: Facts) -> None:
        with self._lock:
            self._kept.pop(scope.partition, None)
            self._kept[scope.partition] = facts  # behind all others: the first is the one to go
            total = sum(len(one.facts) for one in self._kept.values())
            while total > self._most and len(self._kept) > 1:
                total -= len(self._kept.pop(next(iter(self._kept))).facts)
