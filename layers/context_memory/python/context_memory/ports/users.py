"""The user table: who has what, which turns wait, what happened to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.facts.heeding import Heeded
    from context_memory.domain.forgotten import Forgotten
    from context_memory.domain.ids import UserKey
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenChange, OpenTurn, ProfilePointer, UserSettings, UserState
    from context_memory.domain.turn import TurnRecord, Usage
    from context_memory.ports.facts import FactsChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """One transaction that stores a change, ends turns, or both.

    A change that rests on no turn leaves an open change behind (`UserState.open_changes`) until news of it are out.

    Attributes:
        epoch: the epoch of turns and change.
        finished_at: when.
        turns: those that end, with `outcome`; empty for a change that rests on no turn.
        base: the pointer that was read; None: there was none.
        pointer: where the pointer goes; None, as `revision`, when nothing changed.
        rules: the count of the user's rules (`UserSettings.rules`) that a change was made under; others have made it
            outdated. None: it does not matter.
        pins: the user's pins from now on; None leaves them. Only with `rules`.
        announces: news of the turns' end have to go out; until `told` their open items stay.
        extracts: the facts of those turns that facts are wanted of are still to be extracted (`PendingExtraction`);
            otherwise none ever will be, which such turns then say (`FactsOutcome.SKIPPED`).
        forgets: the user asked in them to forget something.
        heeded: what was made of that wish here; None where there is none.
        facts: the facts that go with that wish, or with turns that these replace, in the same transaction; a wish that
            takes none out still holds the head to what was read, and moves it, so that nobody who read before stores
            what is forgotten now.
        check_settings: False only for turns dropped because memory was erased or switched off.
    """

    user: UserKey
    epoch: int
    finished_at: datetime
    turns: tuple[TurnRecord, ...] = ()
    outcome: Outcome | None = None
    consolidated_through: datetime | None = None
    base: ProfilePointer | None = None
    pointer: ProfilePointer | None = None
    revision: Revision | None = None
    reason: str | None = None
    last_time_zone: str | None = None
    rules: int | None = None
    pins: frozenset[str] | None = None
    announces: bool = False
    extracts: bool = False
    forgets: bool = False
    heeded: Heeded | None = None
    facts: FactsChange | None = None
    check_settings: bool = True

    def extracts_from(self, turn: TurnRecord) -> bool:
        """Whether the facts of this turn are still to be extracted.

        Of one that asks to forget they always are: it is held against what older turns say.
        """
        return self.extracts and (self.forgets or (turn.wants_facts and turn.teaches))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The user's own rules: pinned bullets (by `pin_of`), and what is never to be remembered."""

    pins: frozenset[str]
    deny_phrases: tuple[str, ...]
    deny_kinds: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Why a turn waits.

    `gives_back` the attempt when it came to nothing through no fault of the turn's; `uncounted` also the calls that
    were answered meanwhile (a fault of the world costs neither); `alone` keeps the turn out of company from now on.
    """

    reason: str
    gives_back: bool = True
    uncounted: bool = False
    alone: bool = False


class UserStates(Protocol):
    """What load needs of the user table."""

    def state(self, user: UserKey) -> UserState:
        """All `A#` items in one consistent query."""


class UserTable(UserStates, Protocol):
    """The user table: who has what, which turns wait, what happened to them. Every read is consistent."""

    def turn(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """What is recorded about a turn."""

    def turns(self, user: UserKey) -> Sequence[TurnRecord]:
        """What is recorded about all turns of the user, the newest first by when they happened."""

    def accept(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        """Record a new turn and its open item in one transaction.

        Returns:
            None when recorded, or the record that was there before (nothing is changed then).

        Raises:
            CommitRefused: clause `settings`: the epoch is no longer the record's, or an erase is running.
        """

    def start(self, user: UserKey, record: TurnRecord, at: datetime) -> TurnRecord | None:
        """Count an attempt, begun `at`, and set `running`, if the turn still waits in its epoch.

        Returns:
            The record as it now stands, or None when it has ended or is gone meanwhile.
        """

    def count_call(self, user: UserKey, turn_ids: Sequence[str], usage: Usage) -> None:
        """Count one answered call on every turn; keep its usage on the first."""

    def wait(self, user: UserKey, record: TurnRecord, wait: Waiting) -> None:
        """Set `retrying` on a turn that was started as `record`; one that has ended or is gone stays as it is."""

    def bury(self, user: UserKey, record: TurnRecord, *, reason: str) -> None:
        """Set `dead` on the turn and on its open item in one transaction; a turn that has ended stays as it is.

        News of it have to go out (`OpenTurn.untold`).
        """

    def silence(self, user: UserKey, turn_id: str) -> None:
        """Let nothing be learned from an open turn any more, but for what it asks to forget; an ended one stays so.

        Whoever runs it at this moment is refused (clause `turn`), and looks again.
        """

    def redrive(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """Set a dead turn `queued` with attempts and calls 0 and its ring one higher; None when it is not dead."""

    def settle(self, settlement: Settlement) -> None:
        """Commit a settlement in one transaction.

        Raises:
            CommitRefused: names the clauses that failed.
            StoreUnavailable: also when it is unknown whether the transaction went through: read and see.
        """

    def told(self, user: UserKey, turns: Sequence[OpenTurn], changes: Sequence[OpenChange] = ()) -> None:
        """News of these are out: the open items of changes and of ended turns go, those of dead turns stay."""

    def vouch(self, user: UserKey, pointer: ProfilePointer, policy_version: str) -> None:
        """Say on the pointer and its revision that all of it was checked under that policy, and may stand as it is.

        A pointer that has moved on stays as it is.
        """

    def change_rules(self, user: UserKey, settings: UserSettings, rules: Rules) -> None:
        """Write all rules over `settings` as they were read, and count that the rules have changed.

        Raises:
            CommitRefused: clause `settings`: others changed the rules first, or memory was erased or switched off.
        """

    def revision(self, user: UserKey, epoch: int, turn_count: int) -> Revision | None:
        """One revision."""

    def revisions(self, user: UserKey, epoch: int, *, before: int | None = None, limit: int) -> Sequence[Revision]:
        """The newest revisions of an epoch, newest first: at most `limit`, of those with a lower n than `before`."""

    def redact_revision(self, user: UserKey, revision: Revision) -> None:
        """Write operations, `redacted_at` and `version_gone` of `revision` over it; one that is gone stays gone."""

    def drop_revisions(self, user: UserKey, epoch: int, turn_counts: Iterable[int]) -> None:
        """Remove revisions; absent ones are no error. Never that of the version that counts: its caller sees to it."""

    def named_versions(self, user: UserKey) -> frozenset[str]:
        """Version ids that the pointer or any revision names."""

    def forgotten(self, user: UserKey) -> Mapping[str, Forgotten]:
        """Keyed hashes of forgotten bullets, each with its latest forgetting."""

    def remember_forgotten(self, user: UserKey, epoch: int, hashes: Iterable[str], forgetting: Forgotten) -> None:
        """Keep keyed hashes of bullets that must not be learned again from older material.

        Of several forgettings the one that was said last counts, and of those said at once the one noted first.
        """

    def recall_forgotten(self, user: UserKey, hashes: Iterable[str]) -> None:
        """Take back that bullets were forgotten; absent hashes are no error."""
