"""The tombstone, what is left of a user, the ledger and the signer, over the other twins."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.fact_remains import (
    CLOSED,
    HEAD,
    KEPT,
    MARKS,
    old_fact_items,
    remove_fact_item,
)
from context_memory.adapters.in_memory.items import SEEN
from context_memory.domain.erasing import Remnant, Standing
from context_memory.domain.errors import CommitRefused
from context_memory.domain.state import UserSettings
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.adapters.in_memory.items import Items
    from context_memory.adapters.in_memory.payloads import InMemoryTurnPayloads
    from context_memory.adapters.in_memory.profiles import InMemoryProfileObjects
    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.adapters.in_memory.user_table import InMemoryUserTable
    from context_memory.domain.erasing import Erasure, LedgerEntry
    from context_memory.domain.ids import UserKey

BATCH = 2
"""So small that tests see several batches."""
LEGACY = "legacy"
_SETTINGS = frozenset({"settings"})


class InMemoryTombstones:
    """`Tombstones`; the port says what each method promises."""

    def __init__(self, table: InMemoryUserTable) -> None:
        self._table = table

    def standing(self, user: UserKey) -> Standing:
        """Where the user stands."""
        with self._table.opened(user, "standing") as items:
            return _standing(items)

    def fence(self, user: UserKey, before: Standing, erasure: Erasure, *, context_memory: bool) -> None:
        """Move the epoch and remove pointer, pins and deny rules."""
        with self._table.opened(user, "fence") as items:
            stands = _standing(items)
            as_read = (before.epoch, before.context_memory)
            if stands.running or (stands.epoch, stands.context_memory) != as_read:
                raise CommitRefused(_SETTINGS)
            items.profile, items.erasure = None, erasure
            items.settings = UserSettings(
                epoch=erasure.epoch,
                context_memory=context_memory,
                erased_at=erasure.requested_at,
                erase_running=True,
            )

    def advance(self, user: UserKey, before: Erasure, after: Erasure) -> None:
        """Write `after` on top of `before`; a final one lifts the fence."""
        with self._table.opened(user, "advance") as items:
            stands = items.erasure
            if stands is None or (stands.receipt_id, stands.step) != (before.receipt_id, before.step):
                raise CommitRefused(_SETTINGS)
            items.erasure = after
            items.settings = replace(items.settings or UserSettings(), erase_running=after.running)

    def switch(self, user: UserKey, epoch: int, *, on: bool) -> None:
        """Turn memory off for after the running erase, or on where none runs."""
        with self._table.opened(user, "switch") as items:
            stands = _standing(items)
            if stands.epoch != epoch or (on and stands.running):
                raise CommitRefused(_SETTINGS)
            items.settings = replace(items.settings or UserSettings(), context_memory=on)


def _standing(items: Items) -> Standing:
    settings = items.settings or UserSettings()
    return Standing(
        epoch=settings.epoch,
        context_memory=settings.context_memory,
        has_profile=items.profile is not None,
        erasure=items.erasure,
    )


class InMemoryItemRemains:
    """`Remains` over the user table's twin."""

    def __init__(self, table: InMemoryUserTable) -> None:
        self._table = table

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:
        """Items of older epochs."""
        yield from _in_batches(lambda: self._old(user, epoch))

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:
        """Remove items that are still of older epochs."""
        with self._table.opened(user, "delete_remains") as items:
            old = {one.key for one in _old_items(items, epoch)}
            for one in batch:
                if one.key in old:
                    _remove(items, one)

    def _old(self, user: UserKey, epoch: int) -> list[Found]:
        with self._table.opened(user, "find_remains") as items:
            return list(_old_items(items, epoch))


def _old_items(items: Items, epoch: int) -> Iterator[Found]:
    if items.profile and items.profile.epoch < epoch:
        yield Found(Remnant.PROFILE, "A#PROFILE")
    if (items.consolidated_through or items.last_time_zone) and items.epochs.get(SEEN, 0) < epoch:
        yield Found(Remnant.SEEN, SEEN)
    old_turns = {turn.open_key: turn.turn_id for turn in items.turns.values() if turn.epoch < epoch}
    for key, turn_id in old_turns.items():
        if key in items.open_turns:
            yield Found(Remnant.OPEN, f"A#OPEN#{key}")
        yield Found(Remnant.TURNS, f"TURN#{turn_id}")
    for number in items.revisions:
        if number[0] < epoch:
            yield Found(Remnant.REVISIONS, f"REVISION#{number[0]}#{number[1]}")
    yield from (Found(Remnant.OTHERS, _change(number)) for number in items.open_changes if number[0] < epoch)
    for digest in items.forgotten:
        if items.epochs.get(digest, 0) < epoch:
            yield Found(Remnant.FORGOTTEN, f"FORGOTTEN#{digest}")
    yield from old_fact_items(items, epoch)


def _change(number: tuple[int, int]) -> str:
    return f"A#CHANGE#{number[0]}#{number[1]}"


def _remove(items: Items, found: Found) -> None:
    name = found.key.rpartition("#")[2]
    match found.kind:
        case Remnant.PROFILE:
            items.profile = None
        case Remnant.SEEN:
            items.consolidated_through = items.last_time_zone = None
            items.epochs.pop(SEEN, None)
        case Remnant.OPEN:
            del items.open_turns[name]
        case Remnant.TURNS if not found.key.startswith(KEPT):
            del items.turns[found.key.removeprefix("TURN#")]
        case Remnant.REVISIONS:
            items.revisions = {
                number: revision
                for number, revision in items.revisions.items()
                if f"REVISION#{number[0]}#{number[1]}" != found.key
            }
        case Remnant.FORGOTTEN:
            del items.forgotten[name]
            items.epochs.pop(name, None)
        case Remnant.FACTS | Remnant.EXTRACTIONS | Remnant.PROMPTS | Remnant.TURNS:
            remove_fact_item(items, found)
        case _ if found.key == CLOSED or found.key.startswith(MARKS):
            remove_fact_item(items, found)
        case _ if found.key == HEAD:
            items.facts_head = None
        case _:
            items.open_changes = {
                number: change for number, change in items.open_changes.items() if _change(number) != found.key
            }


class InMemoryVersionRemains:
    """`Remains` over the profiles' twin, the legacy file included."""

    def __init__(self, profiles: InMemoryProfileObjects) -> None:
        self._profiles = profiles

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - versions know no epoch
        """All versions."""
        yield from _in_batches(lambda: self._all(user))

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:  # noqa: ARG002 - likewise
        """Remove versions for good."""
        for one in batch:
            if one.version is None:
                self._profiles.legacy_files.pop(user, None)
            else:
                self._profiles.delete_version(user, one.version)

    def _all(self, user: UserKey) -> list[Found]:
        versions = [Found(Remnant.VERSIONS, "memory.md", one.version_id) for one in self._profiles.versions(user)]
        legacy = [Found(Remnant.VERSIONS, LEGACY)] if user in self._profiles.legacy_files else []
        return [*versions, *legacy]


class InMemoryPayloadRemains:
    """`Remains` over the twins of payloads, and of texts that are kept."""

    def __init__(self, *folders: InMemoryTurnPayloads) -> None:
        self._folders = folders

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - payloads know no epoch
        """All payloads."""
        for folder in self._folders:
            yield from _in_batches(partial(_payloads, folder, user))

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:  # noqa: ARG002 - likewise
        """Remove payloads."""
        for one in batch:
            for folder in self._folders:
                folder.delete(user, one.key, one.version or "")


def _payloads(folder: InMemoryTurnPayloads, user: UserKey) -> list[Found]:
    return [Found(Remnant.PAYLOADS, turn_id, sha256) for turn_id, sha256, _ in folder.stored(user)]


def _in_batches(look: Callable[[], list[Found]]) -> Iterator[list[Found]]:
    """Batches of what has not been handed out yet, looked up anew for each."""
    handed: set[Found] = set()
    while batch := [one for one in look() if one not in handed][:BATCH]:
        handed.update(batch)
        yield batch


class InMemoryLedger:
    """`Ledger`; it knows users by a hash, as the real one does."""

    def __init__(self, *, steps: Steps) -> None:
        self._entries: dict[str, dict[int, LedgerEntry]] = {}
        self._steps = steps
        self._lock = Lock()

    def note(self, user: UserKey, entry: LedgerEntry) -> None:
        """Keep an entry; that memory is off is never taken back."""
        with self._steps.step("ledger.note"), self._lock:
            known = self._entries.setdefault(_hash(user), {})
            before = known.get(entry.epoch)
            if before is None or before.context_memory:
                known[entry.epoch] = entry

    def newest(self, user: UserKey) -> LedgerEntry | None:
        """The entry of the highest epoch."""
        with self._steps.step("ledger.newest"), self._lock:
            known = self._entries.get(_hash(user), {})
            return known[max(known)] if known else None


def _hash(user: UserKey) -> str:
    return hashlib.sha256(user.partition.encode()).hexdigest()
