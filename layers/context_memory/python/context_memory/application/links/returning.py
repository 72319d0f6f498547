"""The way back: the source has its facts again, and the target gives up what it only has of the merge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.merging import MergeStatus, is_remembered
from context_memory.ports.moving import MOST_MOVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.links.sides import Side, Sides
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.merging import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnFacts:
    """Steps of a merge that is undone, or that somebody's erase has stopped.

    First the source gets everything back, then the target gives up what is still as the merge made it. A death in
    between leaves facts with both, and the next try goes on.

    Attributes:
        at_once: facts of one step.
    """

    sides: Sides
    at_once: int = MOST_MOVED

    def drop(self, merge: Merge, source: Side, target: Side) -> Merge:
        """A merge that was not over goes back whole: none of it was the target's yet."""
        if source.alive and (moved := self.sides.moved(merge, source)):
            self._back(merge, source, moved[: self.at_once], source.wanted(moved[: self.at_once]))
            return merge
        return self.clear(merge, target, MergeStatus.DROPPED)

    def give_back(self, merge: Merge, source: Side, target: Side) -> Merge:
        """Facts that the target still has, changed or not, are the source's again.

        What the target has no more was forgotten or deleted there, or went with an erase: it stays gone. So does what
        the source has asked to forget or denied meanwhile, whichever way it comes back.
        """
        moved = self.sides.moved(merge, source)[: self.at_once] if source.alive else ()
        if not moved:
            return merge.now(MergeStatus.CLEARING)
        marks = self.sides.marks(merge, target) if target.alive else {}
        kept = source.wanted(
            fact for fact in moved if _there(fact, target) in marks and _is_remembered_there(fact, target)
        )
        if self._back(merge, source, moved, kept):
            return replace(merge.now(MergeStatus.RETURNING), returned=merge.returned + len(kept))
        return merge

    def clear(self, merge: Merge, target: Side, then: MergeStatus = MergeStatus.UNDONE) -> Merge:
        """The target gives up what is as the merge made it; what it has changed since, or had before, stays."""
        marks = list(self.sides.marks(merge, target).values())[: self.at_once] if target.alive else []
        if not marks:
            return merge.now(then)
        facts = target.by_id
        untouched = [mark.fact_id for mark in marks if mark.fact_id in facts and mark.is_untouched(facts[mark.fact_id])]
        self.sides.write(merge, target, drops=untouched, unmarks=[mark.fact_id for mark in marks])
        return merge

    def _back(self, merge: Merge, source: Side, moved: Sequence[Fact], kept: Sequence[Fact]) -> bool:
        """Put facts back where the source has not stated the same anew."""
        standing = source.by_id
        puts = [fact for fact in kept if fact.id not in standing]
        return self.sides.write(merge, source, puts=puts, releases=[fact.id for fact in moved])


def _there(fact: Fact, target: Side) -> str:
    return fact_id(UserScope(target.user), fact.text)


def _is_remembered_there(fact: Fact, target: Side) -> bool:
    return is_remembered(_there(fact, target), target.facts.facts)
