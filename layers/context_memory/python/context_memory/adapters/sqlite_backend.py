"""The backend `sqlite_fts`: what can be read at once is indexed in memory, large scopes are found in snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.indexes.together import by_scope, with_core
from context_memory.domain.facts.scopes import readable
from context_memory.ports.indexes import Lags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
    from context_memory.adapters.indexes.together import Among
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.match import Match, Query
    from context_memory.ports.indexes import LargeScope
    from context_memory.ports.recall import FactIndex, IndexedScope, Indexes


class SqliteBackend:
    """`Backend`.

    Args:
        indexes: of what can be read at once (`WarmIndexes`).
        snapshots: of large scopes.
        among: ranks what was found in different places together.
    """

    def __init__(self, *, indexes: Indexes, snapshots: KeptSnapshots, among: Among) -> None:
        self._indexes = indexes
        self._snapshots = snapshots
        self._among = among

    def over(
        self, user: UserKey, scopes: Sequence[IndexedScope], large: Sequence[LargeScope], lags: Lags | None = None
    ) -> FactIndex:
        """An index over all of these together; snapshots are fetched when it is searched.

        Raises:
            PermissionError: a scope is neither the user's own nor shared with them; what is kept knows no user.
        """
        for scope in (*(one.scope for one in scopes), *(one.scope for one in large)):
            readable(scope, user)
        small = self._indexes.over(scopes)
        if not large:
            return small
        return _WithSnapshots(small, self._snapshots, self._among, user, large, lags=lags or Lags())


class _WithSnapshots:
    """What was read, and snapshots, for one user."""

    def __init__(
        self,
        small: FactIndex,
        snapshots: KeptSnapshots,
        among: Among,
        user: UserKey,
        large: Sequence[LargeScope],
        *,
        lags: Lags,
    ) -> None:
        self._small = small
        self._snapshots = snapshots
        self._among = among
        self._user = user
        self._large = large
        self._lags = lags

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches. Scores of different indexes say little about each other: the finds are ranked anew.

        Core facts of the snapshots come behind them, whatever is asked.
        """
        found = [*self._small.search(query)]
        for scope in self._large:
            found += self._snapshots.search(self._user, scope, query, self._lags)
        return with_core(self._among(list(by_scope(found))).search(query), found)
