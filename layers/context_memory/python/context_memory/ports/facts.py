"""The store of facts: a user's in the user table, shared ones in the company table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from context_memory.domain.facts.heeding import UNHEEDED, Heeded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
    from context_memory.domain.facts.scopes import FactScope, SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.turn import TurnRecord, Usage

MOST_CHANGES = 90
"""Facts that one write puts and drops together: a transaction holds a hundred items."""
MOST_ITEMS = 100
"""Of one transaction."""
_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True)
class FactsHead:
    """What stands in front of a scope's facts: `version` grows with every write, 0 where nothing stands.

    No version ever comes again in a scope, not even after an erase.
    """

    version: int = 0
    count: int = 0

    def following(self, count: int, at: datetime) -> FactsHead:
        """The head after a write: the first version is the time in microseconds, so that a new life has others."""
        version = self.version + 1 if self.version else int(at.timestamp() * _MICROSECONDS)
        return FactsHead(version, count)


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of a scope. They are at least as new as the head, which was read first."""

    head: FactsHead = FactsHead()
    facts: tuple[Fact, ...] = ()

    def count_after(self, puts: Iterable[Fact], drops: Iterable[str] = ()) -> int:
        """How many facts there are once some are put and others dropped."""
        return len(({fact.id for fact in self.facts} | {fact.id for fact in puts}) - set(drops))


class FactReads(Protocol):
    """Reading a scope, with the credentials of the user who asks. Every read is consistent."""

    def head(self, user: UserKey, scope: FactScope) -> FactsHead:
        """The head of a scope that the user may read."""

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope that the user may read; of their own only those of their present epoch.

        Raises:
            StoreUnavailable: nobody knows.
        """

    def named(self, user: UserKey, scope: SharedScope, ids: Iterable[str]) -> Sequence[Fact]:
        """Those facts of a shared scope that still stand, of one that is too large to be read for a few of them."""

    def first(self, user: UserKey, scope: SharedScope, most: int) -> Sequence[Fact]:
        """At most so many facts of a shared scope that is too large to be read whole: any, for ids know no order.

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
        reason: why it was given up.
        provider: the link through which the turn came, as it is spelled.
        heeded: what was made of that wish when the turn ended for the profile.
        teaches: facts may be learned from it; otherwise only its wish counts.
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
    reason: str | None = None
    provider: str | None = None
    heeded: Heeded = UNHEEDED
    teaches: bool = True


def pending_extraction(
    record: TurnRecord, outcome: Outcome, *, forgets: bool, heeded: Heeded = UNHEEDED
) -> PendingExtraction:
    """What is left to do with a turn that ended so for the profile."""
    return PendingExtraction(
        open_key=record.open_key,
        turn_id=record.turn_id,
        payload_sha256=record.payload_sha256,
        epoch=record.epoch,
        accepted_at=record.accepted_at,
        occurred_at=record.occurred_at,
        outcome=outcome,
        forgets=forgets,
        provider=record.provider,
        heeded=heeded,
        teaches=record.teaches,
    )


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
        keeps: turns of which the text is kept from now on.
        lets_go: kept turns of which it goes; each must still be kept.
        check_settings: False only for extractions dropped because memory was erased or switched off.

    Raises:
        ValueError: more than one transaction holds, or a fact that is put and dropped.
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
    keeps: tuple[KeptTurn, ...] = ()
    lets_go: tuple[KeptTurn, ...] = ()
    check_settings: bool = True

    def __post_init__(self) -> None:
        """Refuse what could never be written."""
        changed = checked_changes(self.puts, self.drops)
        kept = [*self.keeps, *self.lets_go]
        beside = 2 * len(self.ends) + len(kept) + (1 if kept else 0) + (2 if changed else 1)
        if changed + beside > MOST_ITEMS:
            raise ValueError(f"One transaction holds {MOST_ITEMS} items.")


def checked_changes(puts: Sequence[Fact], drops: Iterable[str]) -> int:
    """How many facts a write puts and drops.

    Raises:
        ValueError: too many for one write, or one of them twice.
    """
    ids = [*(fact.id for fact in puts), *drops]
    if len(ids) > MOST_CHANGES or len(set(ids)) < len(ids):
        raise ValueError(f"One write changes at most {MOST_CHANGES} facts, and each of them once.")
    return len(ids)


class FactStore(FactReads, Protocol):
    """A user's facts, and the turns that they are still to be extracted from."""

    def change(self, change: FactsChange) -> None:
        """Do all of it in one transaction; without facts the head stays as it is.

        Raises:
            CommitRefused: names the clauses that failed: `facts` (another version), `settings`, `turn`, `kept` (a turn
                that goes is kept no more), `closed` (what was said in kept turns was closed since).
            StoreUnavailable: also when it is unknown whether it was done: read and see.
        """

    def pending(self, user: UserKey) -> Sequence[PendingExtraction]:
        """Turns whose facts are still to be extracted, the oldest first, dead ones included."""

    def begin(self, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
        """Count an attempt; None when it has ended or was given up meanwhile."""

    def give_back(self, user: UserKey, pending: PendingExtraction) -> None:
        """Take an attempt that began as `pending` back, with its calls: the turn was not at fault."""

    def count_call(self, user: UserKey, pending: Sequence[PendingExtraction], usage: Usage) -> None:
        """Count one answered call on each that is still pending; keep its usage on the turn of the first."""

    def bury(self, user: UserKey, pending: PendingExtraction, reason: str) -> None:
        """Give an extraction up; its turn says so (`facts_outcome`), and its payload stays."""

    def silence(self, user: UserKey, pending: PendingExtraction) -> None:
        """Let nothing be learned from a turn any more, but for what it asks to forget; one that has ended stays so.

        Whoever runs it at this moment is refused (clause `turn`), and looks again.
        """

    def revive(self, user: UserKey, turn_id: str) -> PendingExtraction | None:
        """Give a dead extraction another life: attempts and calls 0, its ring one higher; None when it is not dead."""

    def cite(self, user: UserKey, ids: Iterable[str]) -> None:
        """Count one use of each of the user's facts; absent ones are no error.

        The head stays as it is. A use that meets a write of the same fact may be lost.
        """


class SharedFacts(Protocol):
    """Facts of spaces and of the company as administrators see them, with the function's own role."""

    def head(self, scope: SharedScope) -> FactsHead:
        """The head of a scope."""

    def facts(self, scope: SharedScope) -> Facts:
        """Head and facts of a scope."""

    def some(self, scope: SharedScope, ids: Iterable[str]) -> Facts:
        """The head of a scope, read first, and of its facts at least those of `ids` that stand."""

    def page(self, scope: SharedScope, *, after: str | None, limit: int, tier: Tier | None = None) -> Facts:
        """The head of a scope, read first, and at most `limit` facts behind the id `after`, in the order of their ids.

        Args:
            scope: whose facts these are.
            after: where the page before ended; None: from the beginning.
            limit: how many at most.
            tier: only facts of this one; None: of all.
        """

    def change(
        self, scope: SharedScope, base: FactsHead, puts: Sequence[Fact], drops: Iterable[str], *, count: int
    ) -> FactsHead:
        """Put and drop at most `MOST_CHANGES` facts together in one transaction.

        Args:
            scope: whose facts these are.
            base: the head that was read, or that the write before has returned.
            puts: facts as they are from now on; one that stood under its id is replaced.
            drops: ids of facts that go; absent ones are no error.
            count: how many facts there are afterwards (`Facts.count_after`).

        Returns:
            The new head.

        Raises:
            VersionConflict: another writer came first; names the version that counts now.
            ValueError: too many, or a fact that is put and dropped.
        """

    def scopes(self, company_id: str) -> Sequence[SharedScope]:
        """Scopes of a company in which something stands, in no particular order."""

    def clear(self, scope: SharedScope) -> int:
        """Remove a scope whole, for good; writers that began before are refused.

        Returns:
            How many facts went.
        """
