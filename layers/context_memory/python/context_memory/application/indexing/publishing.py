"""Brings what a write did to facts into the indexes that are kept outside of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, kind_of
from context_memory.ports.indexes import IndexChange
from context_memory.ports.recall import IndexedScope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.scopes import FactScope
    from context_memory.ports.facts import Facts
    from context_memory.ports.indexes import PublishedIndex
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Publishing:
    """Tells every index of this environment; there may be none.

    The store is what counts: a write that an index did not take stands all the same. Readers see by the version that
    the index is behind, and `catch_up` makes up for it.
    """

    indexes: Sequence[PublishedIndex]
    telemetry: Telemetry

    def written(self, change: IndexChange, everything: Callable[[], Facts]) -> bool:
        """Bring one write in.

        Args:
            change: what the write did.
            everything: reads the whole scope, for an index that has not come so far.

        Returns:
            Whether every index has it.
        """
        try:
            self._told(change, everything)
        except Unavailable as error:
            self.telemetry.warning("an index of facts is behind", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="facts_index", error_type=kind_of(error))
            return False
        return True

    def catch_up(self, scope: FactScope, version: int, everything: Callable[[], Facts], *, epoch: int = 0) -> None:
        """Make every index anew that has not come as far as the head's version; one that has costs next to nothing.

        Raises:
            Unavailable: one is out of reach; doing it again does no harm.
        """
        self._told(IndexChange(scope=scope, base=version, version=version, epoch=epoch), everything)

    def _told(self, change: IndexChange, everything: Callable[[], Facts]) -> None:
        behind = [index for index in self.indexes if not index.change(change)]
        if behind:
            facts = everything()
            scope = IndexedScope(change.scope, facts.head.version, facts.facts, change.epoch)
            for index in behind:
                index.replace(scope)
