"""The store of facts: a user's in the user table, shared ones in the company table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
    from context_memory.domain.facts.scopes import FactScope, SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.turn import Usage

MOST_CHANGES = 90
"""Facts that one write puts and drops together: a transaction holds a hundred items."""


@dataclass(frozen=True, slots=True)
class FactsHead:
    """What stands in front of a scope's facts: `version` grows with every write, 0 where nothing was ever written."""

    version: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a scope. They are at least as new as the head, which was read first."""

    head: FactsHead = FactsHead()
    facts: tuple[Fact, ...] = ()


class FactReads(Protocol):
    """Reading a scope, with the credentials of the user who asks. Every read is consistent."""

    def head(self, user: UserKey, scope: FactScope) -> FactsHead:
        """The head of a scope that the user may read."""

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope that the user may read; of their own only those of their present epoch.

        Raises:
            StoreUnavailable: nobody knows.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingExtraction:
    """`EXTRACT#<open_key>`: a turn whose facts are still to be extracted.

    Attributes:
        outcome: how the turn ended for the profile.
        forgets: the user asked in it to forget something, whether or not anything was found.
        attempts: begun so far through our own fault.
        calls: model calls that were answered.
        dead: given up; an operator may give it another life.
        ring: how often that was done.
    """

    open_key: str
    turn_id: str
    payload_sha256: str
    epoch: int
    accepted_at: datetime
    occurred_at: datetime
    outcome: Outcome
    forgets: bool = False
    attempts: int = 0
    calls: int = 0
    dead: bool = False
    ring: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEnd:
    """How the extraction of a turn ends, in the transaction that stores its facts."""

    pending: PendingExtraction
    outcome: FactsOutcome
    counts: FactsCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChange:
    """One transaction on a user's facts: at most `MOST_CHANGES` facts put and dropped together.

    Attributes:
        base: the head that was read; another writer since makes it refused.
        epoch: of the user's memory; memory must be on and no erase run.
        puts: facts as they are from now on; one that stood under its id is replaced.
        drops: ids of facts that go; absent ones are no error.
        count: how many facts there are afterwards.
        rules: the count of the user's rules that it was made under; None: it does not matter.
        ends: extractions that end with it.
        check_settings: False only for extractions dropped because memory was erased or switched off.
    """

    user: UserKey
    base: FactsHead
    epoch: int
    at: datetime
    puts: tuple[Fact, ...] = ()
    drops: frozenset[str] = frozenset()
    count: int = 0
    rules: int | None = None
    ends: tuple[ExtractionEnd, ...] = ()
    check_settings: bool = True


class FactStore(FactReads, Protocol):
    """A user's facts, and the turns that they are still to be extracted from."""

    def change(self, change: FactsChange) -> None:
        """Do all of it in one transaction; without facts the head stays as it is.

        Raises:
            CommitRefused: names the clauses that failed: `facts` (another version), `settings`, `turn`.
            StoreUnavailable: also when it is unknown whether it was done: read and see.
        """

    def pending(self, user: UserKey) -> Sequence[PendingExtraction]:
        """Turns whose facts are still to be extracted, the oldest first, dead ones included."""

    def begin(self, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
        """Count an attempt; None when it has ended meanwhile."""

    def give_back(self, user: UserKey, pending: PendingExtraction) -> None:
        """Take an attempt back that came to nothing through no fault of the turn's."""

    def count_call(self, user: UserKey, pending: Sequence[PendingExtraction], usage: Usage) -> None:
        """Count one answered call on each that is still pending; keep its usage on the turn of the first."""

    def bury(self, user: UserKey, pending: PendingExtraction, reason: str) -> None:
        """Give an extraction up; its turn says so (`facts_outcome`), and its payload stays."""

    def revive(self, user: UserKey, turn_id: str) -> PendingExtraction | None:
        """Give a dead extraction another life: attempts and calls 0, its ring one higher; None when it is not dead."""

    def cite(self, user: UserKey, ids: Iterable[str]) -> None:
        """Count one use of each of the user's facts; absent ones are no error."""


class SharedFacts(Protocol):
    """Facts of spaces and of the company as administrators see them, with the function's own role."""

    def head(self, scope: SharedScope) -> FactsHead:
        """The head of a scope."""

    def facts(self, scope: SharedScope) -> Facts:
        """Head and facts of a scope."""

    def change(self, scope: SharedScope, base: FactsHead, puts: Sequence[Fact], drops: Iterable[str]) -> FactsHead:
        """Put and drop at most `MOST_CHANGES` facts together in one transaction.

        Returns:
            The new head.

        Raises:
            VersionConflict: another writer came first.
        """
