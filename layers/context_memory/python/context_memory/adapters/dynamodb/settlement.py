"""The commit: one transaction moves the pointer, ends the turns and leaves a revision; each clause has a name.

profile   the pointer still is the one that was read           → the new pointer        (stored changes only)
settings  the epoch still counts, memory is on, no erase runs, and the user's rules are those that were read
                                                               → moved pins            (unless dropped)
turn      the turn exists in this epoch, has not ended, and teaches as it did when it was read
                                                               → its outcome, and that no facts will be extracted
open      -                                                    → deleted, or kept until news of the end are out
extract   -                                                    → its facts are still to be extracted
facts     their head still is the one that was read            → the next head          (wishes to forget only)
fact      -                                                    → put, or deleted        (likewise)
change    -                                                    → kept until news of it are out  (changes without a turn)
seen      never goes back                                      → newest time consolidated
revision  that number is free                                  → what was done          (stored changes only)
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid4, uuid5

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import stamp
from context_memory.adapters.dynamodb.expressions import Expression, check, delete, put, update
from context_memory.adapters.dynamodb.extraction_items import extraction_item
from context_memory.adapters.dynamodb.fact_clauses import fact_clauses
from context_memory.adapters.dynamodb.revision_items import revision_item
from context_memory.adapters.dynamodb.state import ANNOUNCE, ERASING
from context_memory.adapters.dynamodb.turn_items import as_silent, open_item
from context_memory.adapters.measured_stores import COMMIT, measured_as
from context_memory.domain.facts.heeding import UNHEEDED
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import TurnStatus
from context_memory.domain.turn import FACTS
from context_memory.ports.facts import pending_extraction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import ProfilePointer
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.users import Settlement

_TOKENS = UUID("8f0d7b0e-6f0c-4c58-9a3e-6f2b5f1c4d1a")
_NEW = "attribute_not_exists(#pk)"
_NO_ERASE = "(attribute_not_exists(#erase_state) OR #erase_state <> :erasing)"


def settle(writes: Writes, settlement: Settlement) -> None:
    """Commit a settlement in one transaction.

    Raises:
        CommitRefused: names the clauses that failed.
        StoreUnavailable: also when it is unknown whether the transaction went through: read and see.
    """
    with measured_as(COMMIT):
        token = token_of(settlement)
        writes.transact(settlement.user, list(clauses_of(writes.table, settlement, token)), token=token)


def clauses_of(table: Table, settlement: Settlement, token: str) -> Iterator[Clause]:
    """The operations of a settlement; at most 31 turns fit into a transaction."""
    user = settlement.user
    if settlement.pointer:
        yield _profile(table, settlement, settlement.pointer)
    if settlement.check_settings:
        yield _settings(table, settlement)
    for record in settlement.turns:
        yield update("turn", table, user, keys.turn(record.turn_id), _ended(settlement, record))
        yield _open(table, user, record, announces=settlement.announces)
        if settlement.outcome and settlement.extracts_from(record):
            heeded = settlement.heeded or UNHEEDED
            pending = pending_extraction(record, settlement.outcome, forgets=settlement.forgets, heeded=heeded)
            yield put("extract", table, extraction_item(user, pending))
    if settlement.facts:
        yield from fact_clauses(table, settlement.facts, token)
    if settlement.consolidated_through or settlement.last_time_zone:
        yield update("seen", table, user, keys.SEEN, _seen(settlement))
    if settlement.revision:
        yield put("revision", table, revision_item(user, settlement.revision), Expression(condition=_NEW))
        if not settlement.turns:
            yield put("change", table, _change(user, settlement.revision))


def token_of(settlement: Settlement) -> str:
    """What makes repeated requests one: the version for a stored change; else nothing but the request itself."""
    parts = [settlement.user.partition, str(settlement.epoch)]
    if settlement.pointer:
        # With the time that is seen through in it: a second try that corrects that is another request.
        seen = settlement.consolidated_through
        parts += [str(settlement.pointer.turn_count), settlement.pointer.version_id, str(seen and stamp(seen))]
    else:
        # The same turns may be settled again with another outcome, which the same token would turn into an error.
        parts += [*(record.turn_id for record in settlement.turns), uuid4().hex]
    return str(uuid5(_TOKENS, "\0".join(parts)))


def _profile(table: Table, settlement: Settlement, pointer: ProfilePointer) -> Clause:
    item: dict[str, Plain] = {
        "pk": settlement.user.partition,
        "sk": keys.PROFILE,
        "epoch": pointer.epoch,
        "turn_count": pointer.turn_count,
        "version_id": pointer.version_id,
        "sha256": pointer.sha256,
        "tokens": pointer.tokens,
        "index": pointer.index.to_json(),
        "policy_version": pointer.policy_version,
        "last_updated": stamp(pointer.last_updated),
    }
    if settlement.base is None:
        return put("profile", table, item, Expression(condition=_NEW))
    as_read = Expression(
        condition="#epoch = :epoch AND #turn_count = :turn_count",
        values={"epoch": settlement.epoch, "turn_count": settlement.base.turn_count},
    )
    return put("profile", table, item, as_read)


def _open(table: Table, user: UserKey, record: TurnRecord, *, announces: bool) -> Clause:
    sort_key = f"{keys.OPEN}{record.open_key}"
    if announces:
        # Written anew, so that a turn given up on before does not stay dead; it expires with its turn.
        return put("open", table, open_item(user, record) | {"state": ANNOUNCE})
    return delete("open", table, user, sort_key)


def _change(user: UserKey, revision: Revision) -> dict[str, Plain]:
    return {
        "pk": user.partition,
        "sk": keys.change(revision.epoch, revision.turn_count),
        "epoch": revision.epoch,
        "turn_count": revision.turn_count,
    }


def _settings(table: Table, settlement: Settlement) -> Clause:
    stands = switched_on(settlement.epoch, settlement.rules)
    if settlement.pins is None or settlement.rules is None:
        return check("settings", table, settlement.user, keys.SETTINGS, stands)
    moved = Expression(
        condition=stands.condition,
        change="SET #pins = :pins, #rules = :next",
        values={**stands.values, "pins": [*sorted(settlement.pins)], "next": settlement.rules + 1},
    )
    return update("settings", table, settlement.user, keys.SETTINGS, moved)


def switched_on(epoch: int, rules: int | None) -> Expression:
    """The condition of whoever writes what a user has: as of `epoch`, and of these rules unless they do not matter."""
    condition = f"#epoch = :epoch AND #context_memory = :on AND {_NO_ERASE}"
    values: dict[str, Plain] = {"epoch": epoch, "on": True, "erasing": ERASING}
    if rules is not None:
        condition += " AND (#rules = :rules" + ("" if rules else " OR attribute_not_exists(#rules)") + ")"
        values["rules"] = rules
    never_set = "" if epoch or rules else "attribute_not_exists(#pk) OR "
    return Expression(condition=f"{never_set}({condition})", values=values)


def _ended(settlement: Settlement, record: TurnRecord) -> Expression:
    changes = {
        "profile_outcome": settlement.outcome and settlement.outcome.value,
        "status": TurnStatus.DONE.value,
        "finished_at": stamp(settlement.finished_at),
        "revision": settlement.pointer.turn_count if settlement.pointer else None,
        "reason": settlement.reason,  # a reason for waiting is none for ending
    }
    values: dict[str, Plain] = {name: value for name, value in changes.items() if value is not None}
    extracts = settlement.extracts_from(record)
    if extracts and not record.wants_facts:
        values["consumers"] = [*record.consumers, FACTS]
    elif record.wants_facts and not extracts:
        values["facts_outcome"] = FactsOutcome.SKIPPED.value
    removed = ", ".join(f"#{name}" for name, value in changes.items() if value is None)
    assigned = ", ".join(f"#{name} = :{name}" for name in values)
    return Expression(
        condition="attribute_exists(#pk) AND #epoch = :epoch AND attribute_not_exists(#profile_outcome)"
        + as_silent(teaches=record.teaches),
        change=f"SET {assigned}" + (f" REMOVE {removed}" if removed else ""),
        values=values | {"epoch": settlement.epoch},
    )


def _seen(settlement: Settlement) -> Expression:
    values: dict[str, Plain] = {"epoch": settlement.epoch}
    condition = ""
    if settlement.consolidated_through:
        values["consolidated_through"] = stamp(settlement.consolidated_through)
        condition = "attribute_not_exists(#consolidated_through) OR #consolidated_through <= :consolidated_through"
    if settlement.last_time_zone:
        values["last_time_zone"] = settlement.last_time_zone
    assigned = ", ".join(f"#{name} = :{name}" for name in values)
    return Expression(condition=condition, change=f"SET {assigned}", values=values)
