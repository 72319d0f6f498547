"""What is left of a merge that is over, looked through once a day for as long as it is kept.

The source keeps the texts that have moved so that they can come back. One that cannot come back has no reason to be
kept: what the target has forgotten, deleted or had erased must be in neither memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.links.returning import coming_back
from context_memory.domain.merging import MergeStatus
from context_memory.ports.moving import MOST_MOVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.links.sides import Side, Sides
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.merging import Merge
    from context_memory.ports.links import Merges


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAfterMerge:
    """Lets go of what could not be given back any more.

    Attributes:
        at_once: facts of one step.
    """

    merges: Merges
    sides: Sides
    at_once: int = MOST_MOVED

    def __call__(self, merge: Merge) -> Merge | None:
        """The merge as it was; None when one of both was erased since, so that nothing is kept of it.

        Raises:
            Unavailable: a store is out of reach; whatever went is gone.
        """
        while True:
            source = self.sides.side(merge.source, merge.source_epoch or 0)
            target = self.sides.side(merge.target, merge.target_epoch or 0)
            gone = self._gone(merge, source, target)[: self.at_once] if source.alive else ()
            if not gone:
                break
            self.sides.write(merge, source, releases=[fact.id for fact in gone])
        if source.alive and target.alive:
            return merge
        self.merges.remove(merge)
        return None

    def _gone(self, merge: Merge, source: Side, target: Side) -> Sequence[Fact]:
        """Facts that undoing would not bring back."""
        moved = self.sides.moved(merge, source)
        if not moved or merge.status is not MergeStatus.MERGED or not target.alive:
            return moved
        kept = {fact.id for fact in coming_back(moved, source, target, self.sides.marks(merge, target))}
        return [fact for fact in moved if fact.id not in kept]
