"""What is left of a merge that is over, looked through once a day for as long as it is kept, and by an erase at once.

The source keeps the texts that have moved so that they can come back. One that cannot come back has no reason to be
kept: what the target has forgotten, deleted or had erased must be in neither memory. What a merge had taken that came
to nothing goes back instead: whoever took it may have been late.
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
        both_alive = self.let_go(merge)
        if both_alive:
            self.merges.note(merge)
            return merge
        self.merges.remove(merge)
        return None

    def let_go(self, merge: Merge) -> bool:
        """Keep nothing that could not come back; whether both users still have the memories that the merge is about.

        Raises:
            Unavailable: a store is out of reach; whatever went is gone.
        """
        while True:
            source, target = self._both(merge)
            gone = self._gone(merge, source, target)[: self.at_once]
            if not gone:
                return source.alive and target.alive
            back = source.wanted(gone) if merge.status is MergeStatus.DROPPED else ()
            standing = source.by_id
            puts = [fact for fact in back if fact.id not in standing]
            self.sides.write(merge, source, puts=puts, releases=[fact.id for fact in gone])

    def keeps_too_much(self, merge: Merge) -> bool:
        """Whether there is something to let go of."""
        return bool(self._gone(merge, *self._both(merge)))

    def _both(self, merge: Merge) -> tuple[Side, Side]:
        source = self.sides.side(merge.source, merge.source_epoch or 0)
        return source, self.sides.side(merge.target, merge.target_epoch or 0)

    def _gone(self, merge: Merge, source: Side, target: Side) -> Sequence[Fact]:
        """Facts that undoing would not bring back; those of a source that is no more go with everything of it."""
        moved = self.sides.moved(merge, source) if source.alive else ()
        if not moved or merge.status is not MergeStatus.MERGED or not target.alive:
            return moved
        kept = {fact.id for fact in coming_back(moved, source, target, self.sides.marks(merge, target))}
        return [fact for fact in moved if fact.id not in kept]
