"""Accepting a turn: its record and its open item appear together, or neither does."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, check, put
from context_memory.adapters.dynamodb.state import ERASING
from context_memory.adapters.dynamodb.turn_items import open_item, record_of, turn_item
from context_memory.domain.errors import CommitRefused, StoreUnavailable

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord

TURN = "turn"
_NOBODY_WAS_EVER_ERASED = "attribute_not_exists(#pk) OR "
_SAME_EPOCH = "(#epoch = :epoch AND (attribute_not_exists(#erase_state) OR #erase_state <> :erasing))"


def accept(writes: Writes, user: UserKey, record: TurnRecord) -> TurnRecord | None:
    """Record a new turn and its open item in one transaction.

    Returns:
        None when recorded, or the record that was there before (nothing is changed then).

    Raises:
        CommitRefused: clause `settings`: the epoch is no longer the record's, or an erase is running.
        StoreUnavailable: also when the turn that was in the way has vanished since.
    """
    table = writes.table
    new = Expression(condition="attribute_not_exists(#pk)")
    clauses = [
        put(TURN, table, turn_item(user, record), new),
        put("open", table, open_item(user, record)),
        check("settings", table, user, keys.SETTINGS, _still(record.epoch)),
    ]
    try:
        writes.transact(user, clauses, token=str(uuid4()))
    except CommitRefused as refused:
        if TURN not in refused.clauses:
            raise
    else:
        return None
    known = table.item(user, keys.turn(record.turn_id))
    if known is None:
        raise StoreUnavailable("A turn was recorded before and is gone now.")
    return record_of(known)


def _still(epoch: int) -> Expression:
    return Expression(
        condition=f"{'' if epoch else _NOBODY_WAS_EVER_ERASED}{_SAME_EPOCH}",
        values={"epoch": epoch, "erasing": ERASING},
    )
