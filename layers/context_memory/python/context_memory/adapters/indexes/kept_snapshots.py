"""Snapshots on this machine's disk: fetched once for each version, bounded in size, and fetched again when damaged."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from context_memory.adapters.indexes.snapshot_files import Snapshot
from context_memory.adapters.indexes.standing import standing
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.recall.floors import MEASURED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from context_memory.adapters.indexes.standing import Named
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.floors import Floors
    from context_memory.domain.recall.match import Match, Query
    from context_memory.ports.indexes import Lags, LargeScope

MOST_BYTES = 400_000_000
"""Of the half gigabyte that a function's disk has."""
_TRIES = 2


class PublishedSnapshots(Protocol):
    """What writers have published (`S3Snapshots`)."""

    def newest(self, user: UserKey, scope: SharedScope) -> int | None:
        """Version of the newest snapshot of a scope, None when there is none."""

    def fetch(self, user: UserKey, scope: SharedScope, version: int, into: Path) -> bool:
        """Write a snapshot into a file; False when it is there no more."""


@dataclass(frozen=True, slots=True)
class _Kept:
    version: int
    snapshot: Snapshot
    file: Path
    size: int


class KeptSnapshots:
    """Searches large scopes; the one that was asked for longest ago goes first.

    Args:
        published: where snapshots come from.
        folder: where they are kept; it is made when it is needed.
        named: reads single facts of a scope whose newest snapshot is behind its head.
        most_bytes: of all files together; the one that is searched is kept however large it is.
        floors: how near a fact must be that its vector alone leads to.
    """

    def __init__(
        self,
        published: PublishedSnapshots,
        folder: Path,
        named: Named,
        *,
        most_bytes: int = MOST_BYTES,
        floors: Floors = MEASURED,
    ) -> None:
        self._published = published
        self._named = named
        self._folder = folder
        self._most_bytes = most_bytes
        self._floors = floors
        self._kept: OrderedDict[SharedScope, _Kept] = OrderedDict()
        self._lock = Lock()

    def search(self, user: UserKey, scope: LargeScope, query: Query, lags: Lags | None = None) -> Sequence[Match]:
        """The best matches in the newest snapshot of a scope; none where nothing was published. `lags` is told.

        Of a snapshot that is behind the head only what still stands counts: what was deleted is found no more, however
        long its writer takes to publish that.

        Whoever knows the version of the head has read it with the user's own credentials; a kept file is then as good
        as one that the user would fetch.

        Raises:
            StoreUnavailable: there is no whole snapshot to be had, or nobody knows what of it still stands.
        """
        for _ in range(_TRIES):
            kept = self._newest(user, scope)
            if lags is not None and (kept is None or kept.version < scope.version):
                lags.behind.add(scope.scope)
            if kept is None:
                if lags is not None:
                    lags.unsearched.add(scope.scope)
                return ()
            try:
                found = kept.snapshot.search(query)
            except sqlite3.DatabaseError:
                self._drop(scope.scope, kept)
            else:
                return found if kept.version == scope.version else standing(self._named, user, found)
        raise StoreUnavailable("A snapshot is damaged, and so is the one that was fetched instead.")

    def _newest(self, user: UserKey, large: LargeScope) -> _Kept | None:
        """What is kept, where it is of the head's version; else the newest one that there is."""
        with self._lock:
            kept = self._kept.get(large.scope)
            if kept is None or kept.version != large.version:
                kept = self._fetched(user, large.scope, kept)
            if kept is not None:
                self._kept[large.scope] = kept
                self._kept.move_to_end(large.scope)
                self._make_room()
            return kept

    def _fetched(self, user: UserKey, scope: SharedScope, kept: _Kept | None) -> _Kept | None:
        for _ in range(_TRIES):
            version = self._published.newest(user, scope)
            if version is None:
                return None
            if kept is not None and kept.version >= version:
                return kept
            self._folder.mkdir(parents=True, exist_ok=True)
            file = self._folder / f"{hashlib.sha256(scope.partition.encode()).hexdigest()[:32]}-{version}.sqlite"
            try:
                if self._published.fetch(user, scope, version, file):
                    fetched = _Kept(version, Snapshot(file, scope, self._floors), file, file.stat().st_size)
                    if kept is not None:
                        kept.file.unlink(missing_ok=True)
                    return fetched
            except StoreUnavailable:
                file.unlink(missing_ok=True)
        raise StoreUnavailable("A snapshot could not be fetched.")

    def _drop(self, scope: SharedScope, kept: _Kept) -> None:
        with self._lock:
            kept.file.unlink(missing_ok=True)
            if self._kept.get(scope) is kept:
                del self._kept[scope]

    def _make_room(self) -> None:
        while len(self._kept) > 1 and sum(kept.size for kept in self._kept.values()) > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            oldest.file.unlink(missing_ok=True)
