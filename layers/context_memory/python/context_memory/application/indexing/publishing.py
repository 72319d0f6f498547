"""Brings what a write did to facts into the indexes that are kept outside of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.ports.indexes import IndexChange, PublishedIndex
    from context_memory.ports.recall import IndexedScope
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """Tells every index of this environment; there may be none.

    The store is what counts: a write that an index did not take stands all the same. Readers see by the version that
    the index is behind, and the next write, or `renew`, makes up for it.
    """

    indexes: Sequence[PublishedIndex]
    telemetry: Telemetry

    def written(self, change: IndexChange, everything: Callable[[], IndexedScope]) -> bool:
        """Bring one write in.

        Args:
            change: what the write did.
            everything: reads the whole scope, for an index that has not come so far.

        Returns:
            Whether every index has it.
        """
        told = [self._told(index, change, everything) for index in self.indexes]
        return all(told)

    def follow(self, everything: Callable[[], IndexedScope]) -> bool:
        """Make every index of a scope anew behind writes of which nobody kept what they did.

        Returns:
            Whether all of them are; those that are not stay behind until the next write.
        """
        if not self.indexes:
            return True
        try:
            self.renew(everything())
        except Unavailable as error:
            self._behind(error)
            return False
        return True

    def renew(self, scope: IndexedScope) -> None:
        """Make every index of a scope anew: another backend was chosen, or another embedding model.

        Raises:
            StoreUnavailable: one is out of reach; doing it again does no harm.
        """
        for index in self.indexes:
            index.replace(scope)

    def _told(self, index: PublishedIndex, change: IndexChange, everything: Callable[[], IndexedScope]) -> bool:
        try:
            if not index.change(change):
                index.replace(everything())
        except Unavailable as error:
            self._behind(error)
            return False
        return True

    def _behind(self, error: Unavailable) -> None:
        self.telemetry.warning("an index of facts is behind", error_type=type(error).__name__)
        self.telemetry.count("errors_total", stage="facts_index", error_type=kind_of(error))
