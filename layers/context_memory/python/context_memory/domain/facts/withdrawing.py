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
    return unlearn_facts(facts, Condemnation(turn_ids=turns), tokens, spares=_stated_again)


def _stated_again(fact: Fact) -> bool:
    return fact.last_confirmed_at > fact.created_at
