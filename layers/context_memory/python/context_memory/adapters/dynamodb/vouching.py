"""A profile that was checked and may stand as it is: its pointer and its revision say so, and nothing else changes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, update
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer


def vouch(writes: Writes, user: UserKey, pointer: ProfilePointer, policy_version: str) -> None:
    """Set the policy version of both, where the pointer still is the one that was read."""
    checked = Expression(
        condition="#epoch = :epoch AND #turn_count = :turn_count",
        change="SET #policy_version = :policy_version",
        values={"epoch": pointer.epoch, "turn_count": pointer.turn_count, "policy_version": policy_version},
    )
    clauses = [
        update("profile", writes.table, user, keys.PROFILE, checked),
        update("revision", writes.table, user, keys.revision(pointer.epoch, pointer.turn_count), checked),
    ]
    with contextlib.suppress(CommitRefused):  # somebody has changed it since, or it was erased
        writes.transact(user, clauses, token=str(uuid4()))
