"""What becomes of all facts of a scope by a rule: which go, and which are put as they are from then on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What goes, what is put, and ids of those among the latter that come back."""

    drops: frozenset[str] = frozenset()
    puts: tuple[Fact, ...] = ()
    restored: frozenset[str] = frozenset()

    def applied_to(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """The facts as they stand then."""
        kept = {fact.id: fact for fact in facts if fact.id not in self.drops}
        return tuple((kept | {fact.id: fact for fact in self.puts}).values())


def without_denied_facts(facts: Sequence[Fact], phrases: tuple[str, ...]) -> Rewrite:
    """What is left once the user's phrases are heeded: in texts, in keywords, and in what facts said before."""
    going = {fact.id for fact in facts if any(is_denied(said, phrases) for said in (fact.text, *fact.keywords))}
    staying = {fact.id: fact for fact in facts if fact.id not in going}
    permitted = {
        one: tuple(past for past in fact.supersedes if not is_denied(past.text, phrases))
        for one, fact in staying.items()
    }
    changed = (
        replace(fact, supersedes=permitted[one]) for one, fact in staying.items() if permitted[one] != fact.supersedes
    )
    return Rewrite(frozenset(going), tuple(changed))
