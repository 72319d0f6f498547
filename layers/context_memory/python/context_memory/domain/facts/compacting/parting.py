"""Taking a merge back: the facts stand again as they were, and the merged one goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.ageing import can_be_undone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Parted:
    """Facts that stand again, and the ids of those that go."""

    puts: tuple[Fact, ...]
    drops: frozenset[str]


def parted(merged: Fact, known: Mapping[str, Fact], lost: Callable[[str], bool], now: datetime) -> Parted | None:
    """Part a merged fact; None where it is none, or was merged too long ago.

    What was stated of the merged one since, and how often it was cited, counts for all that come back.

    Args:
        merged: the fact.
        known: all facts that stand, by id: one that was stated anew since stays as it is.
        lost: whether a text was forgotten or deleted; it does not come back.
        now: the time.
    """
    if merged.compaction is None or not can_be_undone(merged, now):
        return None
    originals = merged.compaction.originals
    confirmed = merged.last_confirmed_at > max(fact.last_confirmed_at for fact in originals)
    more = max(merged.uses - sum(fact.uses for fact in originals), 0)
    back = tuple(
        replace(
            fact,
            last_confirmed_at=merged.last_confirmed_at if confirmed else fact.last_confirmed_at,
            uses=fact.uses + more,
        )
        for fact in originals
        if not lost(fact.text) and fact.id not in known.keys() - {merged.id}
    )
    return Parted(back, frozenset({merged.id}) - {fact.id for fact in back})


def apart(facts: Sequence[Fact], goes: Callable[[Fact], bool]) -> dict[str, Fact]:
    """The facts by id, and in the place of a merged one that goes those that it was merged from, if they are kept.

    One that was stated anew since stays as it is.
    """
    parting = [fact for fact in facts if fact.compaction and fact.compaction.originals and goes(fact)]
    whole = {fact.id: fact for fact in facts if fact not in parting}
    return {one.id: one for fact in parting if fact.compaction for one in fact.compaction.originals} | whole


def without_originals(facts: Iterable[Fact]) -> list[Fact]:
    """Merged facts that cannot be parted any more."""
    return [
        replace(fact, compaction=replace(fact.compaction, originals=()))
        for fact in facts
        if fact.compaction and fact.compaction.originals
    ]
