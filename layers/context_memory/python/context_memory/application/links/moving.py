"""The way there: facts leave the source, and are the target's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import fact_id, moved_to
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.worth import by_worth
from context_memory.domain.merging import MergeMark, MergeStatus, print_of
from context_memory.ports.moving import MOST_MOVED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.links.sides import Side, Sides
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.merging import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFacts:
    """One step of a merge that moves facts.

    A fact is first taken from the source, which keeps it as moved, and then given to the target, which marks it: so at
    every moment it is somewhere, and what was taken and not given yet is found again. Facts that the target has no room
    for stay with the source: a merge displaces nothing, and loses nothing. So do those that the target's phrases
    forbid, or that the target has asked to forget since they were stated: a merge is no way around either.

    Attributes:
        cap: how many facts a user of the company may have.
        at_once: facts of one step.
    """

    sides: Sides
    cap: Callable[[str], int]
    at_once: int = MOST_MOVED

    def __call__(self, merge: Merge, source: Side, target: Side) -> Merge:
        """The merge after this step: as it was while something is left to do."""
        if not (source.alive and target.alive):
            return merge.now(MergeStatus.DROPPING)
        marks = self.sides.marks(merge, target)
        on_the_way = [fact for fact in self.sides.moved(merge, source) if _there(fact, target) not in marks]
        if on_the_way:
            self._give(merge, source, target, on_the_way[: self.at_once])
            return merge
        wanted = [fact for fact in source.facts.facts if merge.takes(fact)]
        chosen = self._fitting(wanted, target)
        if chosen:
            taken = chosen[: self.at_once]
            self.sides.write(merge, source, drops=[fact.id for fact in taken], keeps=taken)
            return merge
        if not self._unchanged(source, target):
            return merge
        return replace(merge.now(MergeStatus.MERGED), moved=len(marks), left_behind=len(wanted))

    def _give(self, merge: Merge, source: Side, target: Side, facts: Sequence[Fact]) -> None:
        """Give facts to the target; those for which there is no room any more, or no wish, go back."""
        fitting = self._fitting(facts, target)
        if not fitting:
            standing = source.by_id
            back = source.wanted(fact for fact in facts if fact.id not in standing)
            self.sides.write(merge, source, puts=back, releases=[fact.id for fact in facts])
            return
        puts, marks = [], []
        for fact in fitting:
            stands = target.by_id.get(_there(fact, target))
            put = _confirmed(stands, fact) if stands else _given(fact, target)
            puts.append(put)
            marks.append(MergeMark(fact_id=put.id, stood=stands is not None, print=print_of(put)))
        self.sides.write(merge, target, puts=puts, marks=marks)

    def _fitting(self, facts: Sequence[Fact], target: Side) -> Sequence[Fact]:
        """Those that the target may have, and has room for."""
        room = max(self.cap(target.user.company_id) - target.facts.head.count, 0)
        return _with_room([fact for fact in facts if not target.unwanted.forbids(fact)], target, room)

    def _unchanged(self, source: Side, target: Side) -> bool:
        """Whether nobody was erased while the last facts were given: only then is the merge over."""
        return all(self.sides.settings(side.user).epoch == side.epoch for side in (source, target))


def _there(fact: Fact, target: Side) -> str:
    """The id that a fact has at the target."""
    return fact_id(UserScope(target.user), fact.text)


def _given(fact: Fact, target: Side) -> Fact:
    """A fact as the target has it, and remembers what it said before: under ids of its own."""
    return moved_to(UserScope(target.user), target.unwanted.without(fact))


def _with_room(facts: Sequence[Fact], target: Side, room: int) -> Sequence[Fact]:
    """Facts that the target has already, which need no room, and as many others as have, the most valuable first."""
    standing = target.by_id
    new = [fact for fact in reversed(by_worth(facts)) if _there(fact, target) not in standing]
    return [*(fact for fact in facts if _there(fact, target) in standing), *new[:room]]


def _confirmed(stands: Fact, fact: Fact) -> Fact:
    """A fact that the target has already: stated by the source, too."""
    return replace(stands, last_confirmed_at=max(stands.last_confirmed_at, fact.last_confirmed_at))
