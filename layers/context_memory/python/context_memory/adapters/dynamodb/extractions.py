"""What happens to a turn between its end for the profile and that of its facts, as bookkeeping.py does before.

Every update names `attribute_exists`: UpdateItem would otherwise bring an erased extraction back as a torso.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, update
from context_memory.adapters.dynamodb.extraction_items import extraction_of
from context_memory.adapters.dynamodb.state import DEAD, WAITING
from context_memory.adapters.dynamodb.turn_items import usage_map
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import Usage
    from context_memory.ports.facts import PendingExtraction

_STANDS = "attribute_exists(#pk) AND #epoch = :epoch"
_ALIVE = f"{_STANDS} AND #state <> :dead"
_ONCE = " AND (attribute_not_exists(#write) OR #write <> :write)"
"""Refuses a write that was done already, and whose answer was lost on its way."""


def pending(table: Table, user: UserKey) -> Sequence[PendingExtraction]:
    """Turns whose facts are still to be extracted, the oldest first by when they happened."""
    found = map(extraction_of, table.items(user, keys.EXTRACTIONS))
    return sorted(found, key=lambda one: (one.occurred_at, one.open_key))


def begin(writes: Writes, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
    """Count an attempt; None when it has ended, was given up or is gone."""
    sort_key, write = keys.extraction(pending.open_key), str(uuid4())
    begun = Expression(
        condition=_ALIVE + _ONCE,
        change="SET #write = :write ADD #attempts :one",
        values={"epoch": pending.epoch, "dead": DEAD, "write": write, "one": 1},
    )
    item = writes.update(user, sort_key, begun)
    if item is None:
        stands = writes.table.item(user, sort_key)
        item = stands if stands and stands.get("write") == write else None
    return extraction_of(item) if item else None


def give_back(writes: Writes, user: UserKey, pending: PendingExtraction) -> None:
    """Take an attempt back with its calls: set, not subtracted, for the client's own retries."""
    given_back = Expression(
        condition=_ALIVE,
        change="SET #attempts = :attempts, #calls = :calls",
        values={
            "epoch": pending.epoch,
            "dead": DEAD,
            "attempts": max(pending.attempts - 1, 0),
            "calls": pending.calls,
        },
    )
    writes.update(user, keys.extraction(pending.open_key), given_back)


def count_call(writes: Writes, user: UserKey, pending: Sequence[PendingExtraction], usage: Usage) -> None:
    """Count one answered call on each that is still there; keep its usage on the turn of the first of them."""
    counted = list(pending)
    while counted:
        clauses = [_one_call(writes.table, user, one) for one in counted]
        used = Expression(
            condition="attribute_exists(#pk)",
            change="SET #usage = list_append(#usage, :usage)",
            values={"usage": [usage_map(usage)]},
        )
        clauses.append(update("usage", writes.table, user, keys.turn(counted[0].turn_id), used))
        try:
            # A transaction for its token's sake: the client's own retries must not count a call twice.
            writes.transact(user, clauses, token=str(uuid4()))
        except CommitRefused as refused:
            gone = refused.clauses | ({counted[0].open_key} if "usage" in refused.clauses else set())
            counted = [one for one in counted if one.open_key not in gone]
        else:
            return


def _one_call(table: Table, user: UserKey, pending: PendingExtraction) -> Clause:
    one_more = Expression(condition=_STANDS, change="ADD #calls :one", values={"epoch": pending.epoch, "one": 1})
    return update(pending.open_key, table, user, keys.extraction(pending.open_key), one_more)


def bury(writes: Writes, user: UserKey, pending: PendingExtraction, reason: str) -> None:
    """Set `dead` on the extraction and on its turn; one that has ended or is gone stays as it is."""
    values: dict[str, Plain] = {"epoch": pending.epoch, "dead": DEAD}
    dead = Expression(
        condition=_ALIVE, change="SET #state = :dead, #reason = :reason", values={**values, "reason": reason}
    )
    said = Expression(
        condition=f"{_STANDS} AND attribute_not_exists(#facts_outcome)",
        change="SET #facts_outcome = :outcome",
        values={"epoch": pending.epoch, "outcome": FactsOutcome.DEAD.value},
    )
    _both(writes, user, pending, dead, said)


def silence(writes: Writes, user: UserKey, pending: PendingExtraction) -> None:
    """Say on the extraction and on its turn that nothing is learned from them; one that has ended stays as it is."""
    values: dict[str, Plain] = {"epoch": pending.epoch, "no": False}
    silent = Expression(condition=_STANDS, change="SET #teaches = :no", values=values)
    _both(writes, user, pending, silent, silent)


def revive(writes: Writes, user: UserKey, turn_id: str) -> PendingExtraction | None:
    """Give a dead extraction another life; None when it is not dead."""
    turn = writes.table.item(user, keys.turn(turn_id))
    item = turn and writes.table.item(user, keys.extraction(turn["open_key"]))
    if not item or item["state"] != DEAD:
        return None
    stood = extraction_of(item)
    waiting = Expression(
        # The ring is compared so that of two at once only one counts.
        condition=f"{_STANDS} AND #state = :dead AND #ring = :ring",
        change="SET #state = :waiting, #attempts = :zero, #calls = :zero, #ring = :next REMOVE #reason",
        values={
            "epoch": stood.epoch,
            "dead": DEAD,
            "ring": stood.ring,
            "waiting": WAITING,
            "zero": 0,
            "next": stood.ring + 1,
        },
    )
    said = Expression(condition=_STANDS, change="REMOVE #facts_outcome", values={"epoch": stood.epoch})
    if not _both(writes, user, stood, waiting, said):
        return None
    return replace(stood, dead=False, reason=None, attempts=0, calls=0, ring=stood.ring + 1)


def _both(writes: Writes, user: UserKey, pending: PendingExtraction, waits: Expression, said: Expression) -> bool:
    """Change an extraction and its turn together; False when either is no longer as expected."""
    clauses = [
        update("extract", writes.table, user, keys.extraction(pending.open_key), waits),
        update("turn", writes.table, user, keys.turn(pending.turn_id), said),
    ]
    try:
        writes.transact(user, clauses, token=str(uuid4()))
    except CommitRefused:
        return False
    return True
