"""`UserTable`, whole: reading and every kind of write."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import acceptance, bookkeeping, forgotten, keys, telling, vouching
from context_memory.adapters.dynamodb.revision_items import redacted, revision_of
from context_memory.adapters.dynamodb.rules import change_rules
from context_memory.adapters.dynamodb.settlement import settle
from context_memory.adapters.dynamodb.state import DynamoUserStates
from context_memory.adapters.dynamodb.turn_items import record_of
from context_memory.adapters.dynamodb.writes import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.forgotten import Forgotten
    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenChange, OpenTurn, ProfilePointer, UserSettings
    from context_memory.domain.turn import TurnRecord, Usage
    from context_memory.ports.users import Rules, Settlement, Waiting

_LAST_REVISION = 10**10 - 1
"""The highest number that its key has room for."""


class DynamoUserTable(DynamoUserStates):
    """`UserTable` over DynamoDB; the port says what each method promises.

    Args:
        table: the user table.
        pause: sleeps that many seconds between tries of a write that collided.
    """

    def __init__(self, table: Table, *, pause: Callable[[float], None] = time.sleep) -> None:
        super().__init__(table)
        self._writes = Writes(table=table, pause=pause)

    def turn(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """What is recorded about a turn."""
        item = self._table.item(user, keys.turn(turn_id))
        return record_of(item) if item else None

    def turns(self, user: UserKey) -> Sequence[TurnRecord]:
        """What is recorded about all turns of the user, the newest first by when they happened."""
        found = map(record_of, self._table.items(user, keys.TURNS))
        return sorted(found, key=lambda turn: (turn.occurred_at, turn.open_key), reverse=True)

    def accept(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        """Record a new turn and its open item in one transaction."""
        return acceptance.accept(self._writes, user, record)

    def start(self, user: UserKey, record: TurnRecord, at: datetime) -> TurnRecord | None:
        """Count an attempt and set `running`, if the turn still waits in its epoch."""
        return bookkeeping.start(self._writes, user, record, at)

    def count_call(self, user: UserKey, turn_ids: Sequence[str], usage: Usage) -> None:
        """Count one answered call on every turn; keep its usage on the first."""
        bookkeeping.count_call(self._writes, user, turn_ids, usage)

    def wait(self, user: UserKey, record: TurnRecord, wait: Waiting) -> None:
        """Set `retrying` on a turn that was started as `record`."""
        bookkeeping.wait(self._writes, user, record, wait)

    def bury(self, user: UserKey, record: TurnRecord, *, reason: str) -> None:
        """Set `dead` on the turn and on its open item in one transaction."""
        bookkeeping.bury(self._writes, user, record, reason=reason)

    def silence(self, user: UserKey, turn_id: str) -> None:
        """Let nothing be learned from an open turn any more, but for what it asks to forget."""
        bookkeeping.silence(self._writes, user, turn_id)

    def redrive(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """Give a dead turn another life; None when it is not dead."""
        return bookkeeping.redrive(self._writes, user, turn_id)

    def settle(self, settlement: Settlement) -> None:
        """Commit a settlement in one transaction."""
        settle(self._writes, settlement)

    def told(self, user: UserKey, turns: Sequence[OpenTurn], changes: Sequence[OpenChange] = ()) -> None:
        """News of these are out: the open items of changes and of ended turns go, those of dead turns stay."""
        telling.told(self._writes, user, turns, changes)

    def vouch(self, user: UserKey, pointer: ProfilePointer, policy_version: str) -> None:
        """Say on the pointer and its revision that all of it was checked under that policy."""
        vouching.vouch(self._writes, user, pointer, policy_version)

    def change_rules(self, user: UserKey, settings: UserSettings, rules: Rules) -> None:
        """Write all rules over `settings` as they were read."""
        change_rules(self._writes, user, settings, rules)

    def revision(self, user: UserKey, epoch: int, turn_count: int) -> Revision | None:
        """One revision."""
        item = self._table.item(user, keys.revision(epoch, turn_count))
        return revision_of(item) if item else None

    def revisions(self, user: UserKey, epoch: int, *, before: int | None = None, limit: int) -> Sequence[Revision]:
        """The newest revisions of an epoch, newest first."""
        last = _LAST_REVISION if before is None else before - 1
        items = self._table.newest(user, keys.revision(epoch, 0), keys.revision(epoch, last), limit=limit)
        return [revision_of(item) for item in items]

    def redact_revision(self, user: UserKey, revision: Revision) -> None:
        """Write what was redacted over a revision; one that is gone stays gone."""
        self._writes.update(user, keys.revision(revision.epoch, revision.turn_count), redacted(revision))

    def drop_revisions(self, user: UserKey, epoch: int, turn_counts: Iterable[int]) -> None:
        """Remove revisions; absent ones are no error."""
        self._writes.delete(user, [keys.revision(epoch, turn_count) for turn_count in set(turn_counts)])

    def named_versions(self, user: UserKey) -> frozenset[str]:
        """Version ids that the pointer or any revision names."""
        pointer = self._table.item(user, keys.PROFILE)
        # A commit between the two reads is seen by the second, which writes both names at once.
        named = {item["version_id"] for item in self._table.items(user, keys.REVISIONS, only="version_id")}
        return frozenset(named | ({pointer["version_id"]} if pointer else set()))

    def forgotten(self, user: UserKey) -> Mapping[str, Forgotten]:
        """Keyed hashes of forgotten bullets, each with its latest forgetting."""
        return forgotten.forgotten(self._table, user)

    def remember_forgotten(self, user: UserKey, epoch: int, hashes: Iterable[str], forgetting: Forgotten) -> None:
        """Keep keyed hashes of bullets that must not be learned again from older material."""
        forgotten.remember_forgotten(self._writes, user, epoch, hashes, forgetting)

    def recall_forgotten(self, user: UserKey, hashes: Iterable[str]) -> None:
        """Take back that bullets were forgotten."""
        forgotten.recall_forgotten(self._writes, user, hashes)
