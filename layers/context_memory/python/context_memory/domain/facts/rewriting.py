"""What becomes of all facts of a scope by a rule: which go, and which are put as they are from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.parting import apart
from context_memory.domain.facts.history import without_past
from context_memory.domain.facts.likeness import said_by
from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

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


@dataclass(frozen=True, slots=True)
class Correction:
    """What a user's edit took out of the memory, all that the memory says now, and when the edit was made."""

    lost: tuple[str, ...]
    kept: tuple[str, ...]
    at: datetime


def without_corrected_facts(facts: Sequence[Fact], correction: Correction) -> Rewrite:
    """What is left once an edit is heeded: what it took out and nothing says any more goes, unless stated since."""
    older = {fact.text: fact.id for fact in facts if fact.last_confirmed_at <= correction.at}
    gone = said_by(older, correction.lost)
    gone -= said_by(gone, correction.kept)
    return Rewrite(frozenset(older[text] for text in gone))


def without_denied_facts(facts: Sequence[Fact], phrases: tuple[str, ...]) -> Rewrite:
    """What is left once the user's phrases are heeded: in texts, in keywords, and in what facts said before.

    Of a merged fact that goes those stay that it was merged from, unless a phrase forbids them as well.
    """

    def denied(fact: Fact) -> bool:
        return any(is_denied(said, phrases) for said in (fact.text, *fact.keywords))

    known = {fact.id: fact for fact in facts}
    staying = {one: fact for one, fact in apart(facts, denied).items() if not denied(fact)}
    permitted = {fact.id: fact for fact in without_past(staying.values(), lambda past: is_denied(past.text, phrases))}
    puts = (fact for one, fact in (staying | permitted).items() if fact != known.get(one))
    return Rewrite(frozenset(known.keys() - staying.keys()), tuple(puts))
