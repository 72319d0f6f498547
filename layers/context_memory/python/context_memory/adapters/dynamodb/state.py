"""One query for everything a load needs to know. This module is on the path on which a user waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment
from context_memory.domain.budget import BudgetIndex
from context_memory.domain.state import OpenChange, OpenTurn, ProfilePointer, UserSettings, UserState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.ids import UserKey

ERASING = "running"
"""Value of `erase_state` while an erase is under way."""
WAITING = "waiting"
DEAD = "dead"
ANNOUNCE = "announce"
"""Values of `state` on an open item; the last is that of a turn that has ended and of which nobody was told yet."""


class DynamoUserStates:
    """The reading that load needs: `UserTable.state`.

    Args:
        table: the user table.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def state(self, user: UserKey) -> UserState:
        """All `A#` items in one query."""
        return state_of(self._table.items(user, keys.STATE))


def state_of(items: Iterable[Mapping[str, Any]]) -> UserState:
    """Put the `A#` items of one user together."""
    by_key = {item["sk"]: item for item in items}
    profile, settings, seen = by_key.get(keys.PROFILE), by_key.get(keys.SETTINGS), by_key.get(keys.SEEN, {})
    return UserState(
        profile=_pointer(profile) if profile else None,
        settings=_settings(settings) if settings else UserSettings(),
        consolidated_through=_moment(seen.get("consolidated_through")),
        last_time_zone=seen.get("last_time_zone"),
        open_turns=tuple(_open_turn(item) for name, item in by_key.items() if name.startswith(keys.OPEN)),
        open_changes=tuple(_open_change(item) for name, item in by_key.items() if name.startswith(keys.CHANGE)),
    )


def _pointer(item: Mapping[str, Any]) -> ProfilePointer:
    return ProfilePointer(
        epoch=item["epoch"],
        turn_count=item["turn_count"],
        version_id=item["version_id"],
        sha256=item["sha256"],
        tokens=item["tokens"],
        index=BudgetIndex.from_json(item["index"]),
        policy_version=item["policy_version"],
        last_updated=moment(item["last_updated"]),
    )


def _settings(item: Mapping[str, Any]) -> UserSettings:
    # Epoch and switch are never left out: the commit's condition compares them.
    return UserSettings(
        epoch=item["epoch"],
        context_memory=item["context_memory"],
        erased_at=_moment(item.get("erased_at")),
        erase_running=item.get("erase_state") == ERASING,
        pins=frozenset(item.get("pins", ())),
        deny_phrases=tuple(item.get("deny_phrases", ())),
        deny_kinds=frozenset(item.get("deny_kinds", ())),
        rules=item.get("rules", 0),
    )


def _open_turn(item: Mapping[str, Any]) -> OpenTurn:
    return OpenTurn(
        key=item["sk"].removeprefix(keys.OPEN),
        turn_id=item["turn_id"],
        accepted_at=moment(item["accepted_at"]),
        occurred_at=moment(item["occurred_at"]),
        dead=item["state"] == DEAD,
        supersedes_turn_id=item.get("supersedes_turn_id"),
        untold=item["state"] == ANNOUNCE or item.get("untold", False),
    )


def _open_change(item: Mapping[str, Any]) -> OpenChange:
    return OpenChange(epoch=item["epoch"], turn_count=item["turn_count"])


def _moment(stamp: str | None) -> datetime | None:
    return None if stamp is None else moment(stamp)
