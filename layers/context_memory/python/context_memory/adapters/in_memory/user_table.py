"""The user table: every method one critical section, every condition as in the real one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.items import Items
from context_memory.adapters.in_memory.settling import failed_clauses, is_on, open_turn, put_through
from context_memory.domain.errors import CommitRefused
from context_memory.domain.outcomes import TurnStatus
from context_memory.domain.state import UserSettings, UserState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.forgotten import Forgotten
    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenChange, OpenTurn, ProfilePointer
    from context_memory.domain.turn import TurnRecord, Usage
    from context_memory.ports.users import Rules, Settlement, Waiting


class InMemoryUserTable:
    """`UserTable`; the port says what each method promises."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._users: dict[UserKey, Items] = {}
        self._lock = Lock()

    def write_settings(self, user: UserKey, settings: UserSettings) -> None:
        """Write the settings as they are, which no port does yet."""
        with self._lock:
            self._users.setdefault(user, Items()).settings = settings

    def lose_turn(self, user: UserKey, turn_id: str) -> None:
        """Remove a turn and its open item, as an erase does."""
        with self._lock:
            items = self._users[user]
            items.open_turns.pop(items.turns.pop(turn_id).open_key, None)

    def state(self, user: UserKey) -> UserState:
        """All `A#` items in one query."""
        with self._of(user, "state") as items:
            return UserState(
                profile=items.profile,
                settings=items.settings or UserSettings(),
                consolidated_through=items.consolidated_through,
                last_time_zone=items.last_time_zone,
                open_turns=tuple(items.open_turns[key] for key in sorted(items.open_turns)),
                open_changes=tuple(items.open_changes[number] for number in sorted(items.open_changes)),
            )

    def turn(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """What is recorded about a turn."""
        with self._of(user, "turn") as items:
            return items.turns.get(turn_id)

    def turns(self, user: UserKey) -> Sequence[TurnRecord]:
        """What is recorded about all turns of the user, the newest first by when they happened."""
        with self._of(user, "turns") as items:
            return sorted(items.turns.values(), key=lambda turn: (turn.occurred_at, turn.open_key), reverse=True)

    def accept(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        """Record a new turn and its open item in one transaction."""
        with self._of(user, "accept") as items:
            if known := items.turns.get(record.turn_id):
                return known
            settings = items.settings or UserSettings()
            if settings.epoch != record.epoch or settings.erase_running:
                raise CommitRefused(frozenset({"settings"}))
            items.turns[record.turn_id] = record
            items.open_turns[record.open_key] = open_turn(record)
            return None

    def start(self, user: UserKey, record: TurnRecord, at: datetime) -> TurnRecord | None:
        """Count an attempt and set `running`, if the turn still waits in its epoch."""
        with self._of(user, "start") as items:
            if turn := items.alive(record):
                turn = replace(turn, status=TurnStatus.RUNNING, attempts=turn.attempts + 1, started_at=at)
                items.turns[turn.turn_id] = turn
            return turn

    def count_call(self, user: UserKey, turn_ids: Sequence[str], usage: Usage) -> None:
        """Count one answered call on every turn; keep its usage on the first."""
        with self._of(user, "count_call") as items:
            known = [items.turns[turn_id] for turn_id in turn_ids if turn_id in items.turns]
            for place, turn in enumerate(known):
                kept = (*turn.usage, usage) if place == 0 else turn.usage
                items.turns[turn.turn_id] = replace(turn, calls=turn.calls + 1, usage=kept)

    def wait(self, user: UserKey, record: TurnRecord, wait: Waiting) -> None:
        """Set `retrying` on a turn that was started as `record`."""
        with self._of(user, "wait") as items:
            if turn := items.alive(record):
                items.turns[turn.turn_id] = replace(
                    turn,
                    status=TurnStatus.RETRYING,
                    reason=wait.reason,
                    attempts=max(record.attempts - 1, 0) if wait.gives_back else turn.attempts,
                    calls=record.calls if wait.uncounted else turn.calls,
                    alone=turn.alone or wait.alone,
                )

    def bury(self, user: UserKey, record: TurnRecord, *, reason: str) -> None:
        """Set `dead` on the turn and on its open item in one transaction."""
        with self._of(user, "bury") as items:
            if turn := items.waiting_or_dead(record):
                items.turns[turn.turn_id] = replace(turn, status=TurnStatus.DEAD, reason=reason)
                items.set_open(turn, dead=True)

    def silence(self, user: UserKey, turn_id: str) -> None:
        """Let nothing be learned from an open turn any more, but for what it asks to forget."""
        with self._of(user, "silence") as items:
            turn = items.turns.get(turn_id)
            if turn and turn.outcome is None:
                items.turns[turn_id] = replace(turn, teaches=False)

    def redrive(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """Give a dead turn another life; None when it is not dead."""
        with self._of(user, "redrive") as items:
            turn = items.turns.get(turn_id)
            if turn is None or turn.status is not TurnStatus.DEAD:
                return None
            revived = replace(
                turn, status=TurnStatus.QUEUED, reason=None, attempts=0, calls=0, ring=turn.ring + 1, alone=True
            )
            items.turns[turn_id] = revived
            items.set_open(revived, dead=False)
            return revived

    def settle(self, settlement: Settlement) -> None:
        """Commit a settlement in one transaction.

        Raises:
            CommitRefused: names the clauses that failed; nothing has changed.
        """
        with self._of(settlement.user, "settle") as items:
            if failed := failed_clauses(items, settlement):
                raise CommitRefused(failed)
            put_through(items, settlement)

    def told(self, user: UserKey, turns: Sequence[OpenTurn], changes: Sequence[OpenChange] = ()) -> None:
        """News of these are out: the open items of changes and of ended turns go, those of dead turns stay."""
        with self._of(user, "told") as items:
            for turn in turns:
                stands = items.open_turns.get(turn.key)
                if not turn.dead:
                    items.open_turns.pop(turn.key, None)
                elif stands and stands.dead:
                    items.open_turns[turn.key] = replace(stands, untold=False)
            for change in changes:
                items.open_changes.pop((change.epoch, change.turn_count), None)

    def vouch(self, user: UserKey, pointer: ProfilePointer, policy_version: str) -> None:
        """Say on the pointer and its revision that all of it was checked under that policy."""
        with self._of(user, "vouch") as items:
            stands, number = items.profile, (pointer.epoch, pointer.turn_count)
            if stands and (stands.epoch, stands.turn_count) == number and number in items.revisions:
                items.profile = replace(stands, policy_version=policy_version)
                items.revisions[number] = replace(items.revisions[number], policy_version=policy_version)

    def change_rules(self, user: UserKey, settings: UserSettings, rules: Rules) -> None:
        """Write all rules over `settings` as they were read.

        Raises:
            CommitRefused: clause `settings`.
        """
        with self._of(user, "change_rules") as items:
            if not is_on(items, settings.epoch, settings.rules):
                raise CommitRefused(frozenset({"settings"}))
            items.settings = replace(
                items.settings or UserSettings(),
                pins=rules.pins,
                deny_phrases=rules.deny_phrases,
                deny_kinds=rules.deny_kinds,
                rules=settings.rules + 1,
            )

    def revision(self, user: UserKey, epoch: int, turn_count: int) -> Revision | None:
        """One revision."""
        with self._of(user, "revision") as items:
            return items.revisions.get((epoch, turn_count))

    def revisions(self, user: UserKey, epoch: int, *, before: int | None = None, limit: int) -> Sequence[Revision]:
        """The newest revisions of an epoch, newest first."""
        with self._of(user, "revisions") as items:
            counts = sorted((count for of, count in items.revisions if of == epoch), reverse=True)
            wanted = [count for count in counts if before is None or count < before][:limit]
            return [items.revisions[epoch, count] for count in wanted]

    def redact_revision(self, user: UserKey, revision: Revision) -> None:
        """Write what was redacted over a revision."""
        with self._of(user, "redact_revision") as items:
            number = (revision.epoch, revision.turn_count)
            if stands := items.revisions.get(number):
                items.revisions[number] = replace(
                    stands,
                    operations=revision.operations,
                    redacted_at=revision.redacted_at,
                    version_gone=revision.version_gone,
                )

    def drop_revisions(self, user: UserKey, epoch: int, turn_counts: Iterable[int]) -> None:
        """Remove revisions; absent ones are no error."""
        with self._of(user, "drop_revisions") as items:
            for count in turn_counts:
                items.revisions.pop((epoch, count), None)

    def named_versions(self, user: UserKey) -> frozenset[str]:
        """Version ids that the pointer or any revision names."""
        with self._of(user, "named_versions") as items:
            pointers = (items.profile,) if items.profile else ()
            return frozenset(named.version_id for named in (*pointers, *items.revisions.values()))

    def forgotten(self, user: UserKey) -> Mapping[str, Forgotten]:
        """Keyed hashes of forgotten bullets, each with its latest forgetting."""
        with self._of(user, "forgotten") as items:
            return dict(items.forgotten)

    def remember_forgotten(self, user: UserKey, epoch: int, hashes: Iterable[str], forgetting: Forgotten) -> None:
        """Keep keyed hashes of bullets that must not be learned again from older material."""
        with self._of(user, "remember_forgotten") as items:
            for digest in hashes:
                known = items.forgotten.get(digest)
                if known is None or known.said_at < forgetting.said_at:
                    items.forgotten[digest] = forgetting
                    items.epochs[digest] = epoch

    def recall_forgotten(self, user: UserKey, hashes: Iterable[str]) -> None:
        """Take back that bullets were forgotten."""
        with self._of(user, "recall_forgotten") as items:
            for digest in hashes:
                items.forgotten.pop(digest, None)
                items.epochs.pop(digest, None)

    @contextmanager
    def opened(self, user: UserKey, method: str) -> Iterator[Items]:
        """One user's items, for the twins of other ports over the same table."""
        with self._of(user, method) as items:
            yield items

    def known(self) -> Sequence[UserKey]:
        """Users of whom anything at all is kept, for tests that look everywhere."""
        with self._lock:
            return [user for user, items in self._users.items() if items != Items()]

    @contextmanager
    def _of(self, user: UserKey, method: str) -> Iterator[Items]:
        with self._steps.step(f"table.{method}"), self._lock:
            yield self._users.setdefault(user, Items())
