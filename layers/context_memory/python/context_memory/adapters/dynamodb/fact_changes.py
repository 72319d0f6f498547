"""Writing a user's facts: one transaction; each clause has a name.

facts     the head still is the one that was read         → the new head     (changes that put or drop facts)
settings  the epoch still counts, memory is on, no erase runs, and the user's rules are those that were read
fact      -                                               → put, or deleted
turn      the turn exists in its epoch, nobody has ended the extraction of its facts, and it teaches as when it was read
                                                          → how it ended
extract   -                                               → deleted
closed    nothing was closed that was said in turns which are kept from now on, or go
keep      -                                               → put: the text of the turn is kept
kept      the turn is still kept                          → deleted: its text goes
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, check, delete, put, update
from context_memory.adapters.dynamodb.fact_clauses import FACTS, fact_clauses
from context_memory.adapters.dynamodb.kept_items import kept_item, not_closed, still_kept
from context_memory.adapters.dynamodb.settlement import switched_on
from context_memory.adapters.dynamodb.turn_items import as_silent
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.ports.facts import ExtractionEnd, FactsChange


def change_facts(writes: Writes, change: FactsChange) -> None:
    """Do all of it in one transaction.

    Raises:
        CommitRefused: names the clauses that failed.
        StoreUnavailable: also when it is unknown whether it was done: read and see.
    """
    write = str(uuid4())
    try:
        writes.transact(change.user, list(_clauses(writes.table, change, write)), token=write)
    except CommitRefused as refused:
        if FACTS not in refused.clauses or not _was_ours(writes.table, change, write):
            raise


def _was_ours(table: Table, change: FactsChange, write: str) -> bool:
    """Whether the head that is in the way is our own: the client tries again by itself when an answer is lost."""
    head = table.item(change.user, keys.FACTS_HEAD)
    return head is not None and head["write"] == write


def _clauses(table: Table, change: FactsChange, write: str) -> Iterator[Clause]:
    user = change.user
    if change.puts or change.drops:
        yield from fact_clauses(table, change, write)
    if change.check_settings:
        yield check("settings", table, user, keys.SETTINGS, switched_on(change.epoch, change.rules))
    for end in change.ends:
        yield update("turn", table, user, keys.turn(end.pending.turn_id), _ended(end))
        yield delete("extract", table, user, keys.extraction(end.pending.open_key))
    yield from _texts(table, change)


def _texts(table: Table, change: FactsChange) -> Iterator[Clause]:
    """Which texts are kept from now on, and which go."""
    user = change.user
    if kept := [*change.keeps, *change.lets_go]:
        yield check("closed", table, user, keys.KEPT_CLOSED, not_closed(change.epoch, kept))
    for turn in change.keeps:
        yield put("keep", table, kept_item(user, turn))
    for turn in change.lets_go:
        yield delete("kept", table, user, keys.kept(turn.open_key), still_kept(turn))


def _ended(end: ExtractionEnd) -> Expression:
    return Expression(
        condition=(
            "attribute_exists(#pk) AND #epoch = :epoch"
            " AND (attribute_not_exists(#facts_outcome) OR #facts_outcome = :dead)"
            f"{as_silent(teaches=end.pending.teaches)}"
        ),
        change="SET #facts_outcome = :outcome, #facts = :facts",
        values={
            "epoch": end.pending.epoch,
            "dead": FactsOutcome.DEAD.value,
            "outcome": end.outcome.value,
            "facts": asdict(end.counts),
        },
    )
