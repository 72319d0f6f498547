"""What is struck once news of it are out."""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, delete
from context_memory.adapters.dynamodb.state import DEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import OpenChange, OpenTurn

_MOST_CLAUSES = 100
_STILL_DEAD = Expression(condition="#state = :dead", change="REMOVE #untold", values={"dead": DEAD})


def told(writes: Writes, user: UserKey, turns: Sequence[OpenTurn], changes: Sequence[OpenChange]) -> None:
    """Let open items of changes and of ended turns go; a dead turn's stays, unless it was given another life."""
    gone = [f"{keys.OPEN}{turn.key}" for turn in turns if not turn.dead]
    gone += [keys.change(change.epoch, change.turn_count) for change in changes]
    for few in batched(gone, _MOST_CLAUSES, strict=False):
        clauses = [delete("open", writes.table, user, sort_key) for sort_key in few]
        writes.transact(user, clauses, token=str(uuid4()))
    for turn in turns:
        if turn.dead:
            writes.update(user, f"{keys.OPEN}{turn.key}", _STILL_DEAD)
