"""What happens to a turn between acceptance and its end: attempts, calls, waiting, giving up, another life.

Every update names `attribute_exists`: UpdateItem would otherwise bring an erased turn back as a torso.
What counts attempts up or down carries a name of its own, or the client's own retries would count them twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import stamp
from context_memory.adapters.dynamodb.expressions import Expression, update
from context_memory.adapters.dynamodb.state import DEAD, WAITING
from context_memory.adapters.dynamodb.turn_items import record_of, usage_map
from context_memory.domain.errors import CommitRefused
from context_memory.domain.outcomes import TurnStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord, Usage
    from context_memory.ports.users import Waiting

_NOT_ENDED = "attribute_exists(#pk) AND #epoch = :epoch AND attribute_not_exists(#profile_outcome)"
_ALIVE = f"{_NOT_ENDED} AND #status <> :dead"
_EXISTS = "attribute_exists(#pk)"
_GIVEN_UP = Expression(
    condition=_EXISTS, change="SET #state = :state, #untold = :untold", values={"state": DEAD, "untold": True}
)
_WAITING_AGAIN = Expression(condition=_EXISTS, change="SET #state = :state REMOVE #untold", values={"state": WAITING})
"""What becomes of the open item."""
_ONCE = " AND (attribute_not_exists(#write) OR #write <> :write)"
"""Refuses a write that was done already, and whose answer was lost on its way."""


def start(writes: Writes, user: UserKey, record: TurnRecord, at: datetime) -> TurnRecord | None:
    """Count an attempt and set `running`; None when the turn has ended, was given up or is gone."""
    write = str(uuid4())
    begun = Expression(
        condition=_ALIVE + _ONCE,
        change="SET #status = :running, #started_at = :at, #write = :write ADD #attempts :one",
        values={
            "epoch": record.epoch,
            "dead": TurnStatus.DEAD,
            "running": TurnStatus.RUNNING,
            "at": stamp(at),
            "write": write,
            "one": 1,
        },
    )
    item = writes.update(user, keys.turn(record.turn_id), begun) or _done_before(writes, user, record, write)
    return record_of(item) if item else None


def _done_before(writes: Writes, user: UserKey, record: TurnRecord, write: str) -> dict[str, Any] | None:
    """The turn as it stands, if a write that was refused had been done in an earlier try."""
    item = writes.table.item(user, keys.turn(record.turn_id))
    return item if item and item.get("write") == write else None


def count_call(writes: Writes, user: UserKey, turn_ids: Sequence[str], usage: Usage) -> None:
    """Count one answered call on every turn that is still there; keep its usage on the first of them."""
    counted = list(turn_ids)
    while counted:
        clauses = [_one_call(writes, user, place, turn_id, usage) for place, turn_id in enumerate(counted)]
        try:
            # A transaction for its token's sake: the client's own retries must not count a call twice.
            writes.transact(user, clauses, token=str(uuid4()))
        except CommitRefused as refused:
            counted = [turn_id for place, turn_id in enumerate(counted) if str(place) not in refused.clauses]
        else:
            return


def _one_call(writes: Writes, user: UserKey, place: int, turn_id: str, usage: Usage) -> Clause:
    change, values = "ADD #calls :one", dict[str, "Plain"](one=1)
    if place == 0:
        change += " SET #usage = list_append(#usage, :usage)"
        values["usage"] = [usage_map(usage)]
    expression = Expression(condition=_EXISTS, change=change, values=values)
    return update(str(place), writes.table, user, keys.turn(turn_id), expression)


def wait(writes: Writes, user: UserKey, record: TurnRecord, wait: Waiting) -> None:
    """Set `retrying`, for a reason that is a constant of ours; a turn that has ended or is gone stays as it is.

    What is given back is set, not subtracted: the client's own retries must not give it back twice.
    """
    values: dict[str, Plain] = {"status": TurnStatus.RETRYING, "reason": wait.reason}
    if wait.alone:  # never taken back: a turn that needed to be alone once does until it ends
        values["alone"] = True
    if wait.gives_back:
        values["attempts"] = max(record.attempts - 1, 0)
    if wait.uncounted:
        values["calls"] = record.calls
    changed = Expression(
        condition=_ALIVE,
        change="SET " + ", ".join(f"#{name} = :{name}" for name in values),
        values=values | {"epoch": record.epoch, "dead": TurnStatus.DEAD},
    )
    writes.update(user, keys.turn(record.turn_id), changed)


def bury(writes: Writes, user: UserKey, record: TurnRecord, *, reason: str) -> None:
    """Set `dead` on the turn and on its open item; a turn that has ended or is gone stays as it is."""
    dead = Expression(
        condition=_NOT_ENDED,
        change="SET #status = :dead, #reason = :reason",
        values={"epoch": record.epoch, "dead": TurnStatus.DEAD, "reason": reason},
    )
    _both(writes, user, record, dead, _GIVEN_UP)


def silence(writes: Writes, user: UserKey, turn_id: str) -> None:
    """Say on a turn that nothing is learned from it; one that has ended stays as it is."""
    silent = Expression(
        condition="attribute_exists(#pk) AND attribute_not_exists(#profile_outcome)",
        change="SET #teaches = :no",
        values={"no": False},
    )
    writes.update(user, keys.turn(turn_id), silent)


def redrive(writes: Writes, user: UserKey, turn_id: str) -> TurnRecord | None:
    """Give a dead turn another life, alone; None when it is not dead."""
    item = writes.table.item(user, keys.turn(turn_id))
    if item is None or item["status"] != TurnStatus.DEAD:
        return None
    record = record_of(item)
    queued = Expression(
        # The ring is compared so that of two redrives at once only one counts.
        condition=f"{_NOT_ENDED} AND #status = :dead AND #ring = :ring",
        change=(
            "SET #status = :queued, #attempts = :zero, #calls = :zero, #ring = :next, #alone = :alone REMOVE #reason"
        ),
        values={
            "epoch": record.epoch,
            "dead": TurnStatus.DEAD,
            "ring": record.ring,
            "queued": TurnStatus.QUEUED,
            "zero": 0,
            "next": record.ring + 1,
            "alone": True,
        },
    )
    if not _both(writes, user, record, queued, _WAITING_AGAIN):
        return None
    return replace(record, status=TurnStatus.QUEUED, reason=None, attempts=0, calls=0, ring=record.ring + 1, alone=True)


def _both(writes: Writes, user: UserKey, record: TurnRecord, turn: Expression, opened: Expression) -> bool:
    """Change the turn and its open item together; False when either is no longer as expected."""
    clauses = [
        update("turn", writes.table, user, keys.turn(record.turn_id), turn),
        update("open", writes.table, user, f"{keys.OPEN}{record.open_key}", opened),
    ]
    try:
        writes.transact(user, clauses, token=str(uuid4()))
    except CommitRefused:
        return False
    return True
