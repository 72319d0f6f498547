"""What became of the facts of each turn, for its record and for the metrics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.proposals import Operation
from context_memory.ports.facts import ExtractionEnd

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.application.extract.gathered import Gathered
    from context_memory.domain.facts.deciding import Decided


def ends_of(
    turns: tuple[Gathered, ...], decided: Decided, *, refused: int, pruned: int, changed: bool
) -> tuple[ExtractionEnd, ...]:
    """How turns that ran together end: each with its own facts, the last with what was refused or went for all."""
    outcome = FactsOutcome.STORED if changed else FactsOutcome.NOTHING
    last = turns[-1].pending.turn_id
    return tuple(
        ExtractionEnd(
            pending=gathered.pending,
            outcome=outcome,
            counts=_counts(
                {operation: count for (turn_id, operation), count in decided.done.items() if turn_id == one},
                refused=refused + decided.refused.total() if one == last else 0,
                pruned=pruned if one == last else 0,
            ),
        )
        for gathered in turns
        for one in (gathered.pending.turn_id,)
    )


def without_change(turns: Iterable[Gathered], outcome: FactsOutcome) -> tuple[ExtractionEnd, ...]:
    """How turns end that nothing is stored of."""
    return tuple(ExtractionEnd(pending=one.pending, outcome=outcome, counts=FactsCounts()) for one in turns)


def total(ends: Iterable[ExtractionEnd]) -> Counter[str]:
    """All counts of several turns together, by their names."""
    found = Counter[str]()
    for end in ends:
        counts = end.counts
        found.update(
            added=counts.added,
            confirmed=counts.confirmed,
            superseded=counts.superseded,
            deleted=counts.deleted,
            refused=counts.refused,
            pruned=counts.pruned,
        )
    return found


def _counts(done: dict[Operation, int], *, refused: int, pruned: int) -> FactsCounts:
    return FactsCounts(
        added=done.get(Operation.ADD, 0),
        confirmed=done.get(Operation.CONFIRM, 0),
        superseded=done.get(Operation.SUPERSEDE, 0),
        deleted=done.get(Operation.DELETE, 0),
        refused=refused,
        pruned=pruned,
    )
