"""The way back: the source has its facts again, and the target gives up what it only has of the merge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.merging import MergeStatus, is_remembered
from context_memory.ports.moving import MOST_MOVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.application.links.sides import Side, Sides
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.merging import Merge, MergeMark


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
        kept = coming_back(moved, source, target, marks)
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


def coming_back(moved: Iterable[Fact], source: Side, target: Side, marks: Mapping[str, MergeMark]) -> Sequence[Fact]:
    """Of moved facts those that undoing brings back: the target has them still, and the source wants them."""
    return source.wanted(fact for fact in moved if _is_there(fact, target, marks))


def _is_there(fact: Fact, target: Side, marks: Mapping[str, MergeMark]) -> bool:
    """Whether the target still has what the merge gave it of a fact, as it was or changed."""
    there = fact_id(UserScope(target.user), fact.text)
    return there in marks and is_remembered(there, target.facts.facts)
