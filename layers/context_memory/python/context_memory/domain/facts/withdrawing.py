"""Taking back what a message taught that was edited or regenerated: another turn stands in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.facts.rewriting import Rewrite
from context_memory.domain.facts.unlearning import unlearn_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.fact import Fact


def withdraw(facts: Sequence[Fact], turns: frozenset[str], tokens: Callable[[str], int]) -> Rewrite:
    """What is to be done with facts once `turns` are replaced; one that was stated again since rests on more than them.

    What such a turn confirmed stays confirmed, and what it deleted stays deleted: nobody keeps either.
    """
    if not turns:
        return Rewrite()
    return unlearn_facts(facts, Condemnation(turn_ids=turns), tokens, spares=lambda fact: _rests_on_more(fact, turns))


def _rests_on_more(fact: Fact, turns: frozenset[str]) -> bool:
    """Whether a fact was stated again since one of these turns taught it.

    A merged one has the times of all that it was made of: it was stated again where that was after the merge, or where
    that holds for each part that such a turn taught. What cannot be parted any more tells only when it was merged.
    """
    merged = fact.compaction
    if merged is None:
        return fact.last_confirmed_at > fact.created_at
    if not merged.originals:
        return fact.last_confirmed_at > merged.at
    if fact.last_confirmed_at > max(one.last_confirmed_at for one in merged.originals):
        return True
    taught = [one for one in merged.originals if not turns.isdisjoint(_turns_of(one))]
    return bool(taught) and all(_rests_on_more(one, turns) for one in taught)


def _turns_of(fact: Fact) -> set[str | None]:
    origins = fact.compaction.origins if fact.compaction else ()
    return {fact.source.turn_id, *(origin.source.turn_id for origin in origins)}
