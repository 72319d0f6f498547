"""The two users of a merge as they stand, and writes upon what was read of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.unwanted import Unwanted
from context_memory.domain.merging import KEPT
from context_memory.ports.moving import FactsMove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.merging import Merge, MergeMark
    from context_memory.domain.state import UserSettings
    from context_memory.ports.facts import FactReads, Facts
    from context_memory.ports.moving import FactMoves
    from context_memory.ports.objects import Roster
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserStates


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One user of a merge, as they were read.

    Attributes:
        epoch: of the memory that the merge is about; what is of another is as good as absent.
        alive: memory is on, in that epoch, and no erase runs: it can be written to.
        facts: with the head that a write must rest on.
        rules: counts changes of what is unwanted; a write must rest on it, too.
        unwanted: what the user wants to have of nobody.
    """

    user: UserKey
    epoch: int
    alive: bool
    facts: Facts
    rules: int
    unwanted: Unwanted

    @property
    def by_id(self) -> Mapping[str, Fact]:
        """The facts by their ids."""
        return {fact.id: fact for fact in self.facts.facts}

    def wanted(self, facts: Iterable[Fact]) -> Sequence[Fact]:
        """Those of `facts` that the user may be given, without what of their history is unwanted."""
        return [self.unwanted.without(fact) for fact in facts if not self.unwanted.forbids(fact)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Reads and writes both users, each under their own credentials.

    Attributes:
        forgotten: tells of a user's texts whether they were forgotten after they were stated.
        roster: a user who has nothing but facts that were moved is found there.
        written: told of a user whose facts have changed: vectors and indexes have to follow.
    """

    states: UserStates
    facts: FactReads
    moves: FactMoves
    forgotten: Callable[[UserKey], Callable[[str, datetime], bool]]
    roster: Roster
    written: Callable[[UserKey], object]
    clock: Clock

    def settings(self, user: UserKey) -> UserSettings:
        """Of a user's memory."""
        return self.states.state(user).settings

    def side(self, user: UserKey, epoch: int) -> Side:
        """A user as they stand. The settings are read first, so that the facts are at least as new."""
        settings = self.settings(user)
        alive = settings.epoch == epoch and settings.context_memory and not settings.erase_running
        return Side(
            user=user,
            epoch=epoch,
            alive=alive,
            facts=self.facts.facts(user, UserScope(user)),
            rules=settings.rules,
            unwanted=Unwanted(phrases=settings.deny_phrases, forgotten=self.forgotten(user)),
        )

    def moved(self, merge: Merge, side: Side) -> Sequence[Fact]:
        """What the merge has taken from a user."""
        return self.moves.moved(side.user, merge.merge_id, side.epoch)

    def marks(self, merge: Merge, side: Side) -> Mapping[str, MergeMark]:
        """What the merge has given a user, by id."""
        return {mark.fact_id: mark for mark in self.moves.marks(side.user, merge.merge_id, side.epoch)}

    def write(
        self,
        merge: Merge,
        side: Side,
        *,
        puts: Sequence[Fact] = (),
        drops: Sequence[str] = (),
        keeps: Sequence[Fact] = (),
        releases: Sequence[str] = (),
        marks: Sequence[MergeMark] = (),
        unmarks: Sequence[str] = (),
    ) -> bool:
        """Do all of it in one transaction; False when the user is no longer as they were read: look again."""
        move = FactsMove(
            user=side.user,
            merge_id=merge.merge_id,
            base=side.facts.head,
            epoch=side.epoch,
            rules=side.rules,
            at=self.clock.now(),
            expires_at=merge.asked_at + KEPT,
            count=side.facts.count_after(puts, drops),
            puts=tuple(puts),
            drops=frozenset(drops),
            keeps=tuple(keeps),
            releases=frozenset(releases),
            marks=tuple(marks),
            unmarks=frozenset(unmarks),
        )
        if puts and not side.facts.head.version:  # else walks would not find who has nothing but these
            self.roster.enter(side.user)
        try:
            self.moves.move(move)
        except CommitRefused:
            return False
        if puts or drops:
            self.written(side.user)
        return True
