"""From screened proposals to facts: what is new, what was known, what takes the place of what.

A change of a fact that was stated after the turn happened is refused: late turns only add. What a model replaces must
have to do with what it replaces it by; two replacements that share no word ("Employed by A.", "Works at B.") are taken
at its word, and beyond those the old facts stay and the new ones stand beside them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.bullets import as_bullet
from context_memory.domain.facts.fact import Compaction, Fact, Origin, Tier, fact_id
from context_memory.domain.facts.history import in_place_of, says
from context_memory.domain.facts.likeness import Likeness, likeness
from context_memory.domain.facts.proposals import Operation
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.facts.sources import resting_on, resting_on_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.facts.proposals import Proposal
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.sources import Said

_TAKEN_AT_THE_MODELS_WORD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one answer is decided on.

    Attributes:
        facts: all of the scope's facts, as they stand.
        shown: the facts that the model saw, by the number that it saw.
        turns: what was said, in order.
        tokens: counts a text.
        summary: the turns are old ones, read together once more: what is new in them is archival, and rests on all
            turns that speak of it.
    """

    scope: FactScope
    epoch: int
    facts: Sequence[Fact]
    shown: Mapping[int, Fact]
    turns: Sequence[Said]
    now: datetime
    tokens: Callable[[str], int]
    summary: bool = False

    def basis(self, text: str) -> tuple[Said, ...]:
        """The turns that a new fact rests on, in order."""
        return resting_on_all(text, self.turns) if self.summary else (resting_on(text, self.turns),)


@dataclass(slots=True)
class Decided:
    """The facts as they would stand, by id; what was done for it, by the turn's id; and what was not.

    `added` are the facts that stand in no other's place, with the turn that each rests on; `withdrawn` those that went
    without any other in their place; `unrelated` counts replacements that share no word with what they replace.
    """

    standing: dict[str, Fact]
    done: Counter[tuple[str | None, Operation]] = field(default_factory=Counter)
    refused: Counter[Refusal] = field(default_factory=Counter)
    added: dict[str, Said] = field(default_factory=dict)
    withdrawn: list[Fact] = field(default_factory=list)
    unrelated: int = 0

    def leave_out(self, ids: Iterable[str]) -> None:
        """Take back that these were added, for want of room."""
        for one in ids:
            self.done[self.added[one].source.turn_id, Operation.ADD] -= 1
            self.refused[Refusal.CAP] += 1

    def note(self, operation: Operation, said: Said) -> None:
        """Count an operation that rests on a turn."""
        self.done[said.source.turn_id, operation] += 1


def decide(case: Case, proposals: Iterable[Proposal]) -> Decided:
    """Apply screened proposals to the facts, one after the other."""
    decided = Decided({fact.id: fact for fact in case.facts})
    for proposal in proposals:
        target = _target(case, decided, proposal)
        if target is None and proposal.operation in {Operation.CONFIRM, Operation.DELETE}:
            decided.refused[Refusal.UNKNOWN] += 1
        elif proposal.operation is Operation.CONFIRM and target:
            _confirm(decided, target, resting_on(proposal.quote, case.turns))
        elif target and _said_later(case, target, proposal):
            decided.refused[Refusal.LATE] += 1
        elif proposal.operation is Operation.DELETE and target:
            decided.withdrawn.append(decided.standing.pop(target.id))
            decided.note(Operation.DELETE, resting_on(proposal.quote, case.turns))
        else:
            _bring(case, decided, proposal, target)
    return decided


def _target(case: Case, decided: Decided, proposal: Proposal) -> Fact | None:
    """The fact that a proposal names, as it stands now."""
    shown = case.shown.get(proposal.number) if proposal.number is not None else None
    return decided.standing.get(shown.id) if shown else None


def _said_later(case: Case, target: Fact, proposal: Proposal) -> bool:
    said = resting_on(proposal.text or proposal.quote, case.turns)
    return said.occurred_at < target.last_confirmed_at


def _confirm(decided: Decided, fact: Fact, said: Said) -> None:
    decided.standing[fact.id] = _stated_at(fact, said.occurred_at)
    decided.note(Operation.CONFIRM, said)


def _stated_at(fact: Fact, at: datetime) -> Fact:
    """The fact, stated at that time as well: from its first statement to its last, in whatever order they come."""
    first, last = min(fact.created_at, at), max(fact.last_confirmed_at, at)
    return replace(fact, created_at=first, last_confirmed_at=last)


def _bring(case: Case, decided: Decided, proposal: Proposal, target: Fact | None) -> None:
    """Store a new text: alone, in the place of `target`, or not at all where it is known, or not true any more."""
    basis = case.basis(proposal.text)
    said = basis[-1]
    known, how = _nearest(decided, proposal.text, target)
    if target and not _related(decided, proposal.text, target):
        target = None
    if known and how is Likeness.SAME:
        if target is None or target.id == known.id:
            _confirm(decided, known, said)
        else:  # it is known, and something else is true no longer
            _replace(case, decided, _stated_at(known, said.occurred_at), target)
            decided.note(Operation.SUPERSEDE, said)
        return
    if case.summary and _replaced_since(decided, proposal.text, said):
        decided.refused[Refusal.LATE] += 1
        return
    if target is None and known and known.last_confirmed_at <= said.occurred_at:
        target = known
    new = _made(case, proposal, basis, target)
    if target:
        _replace(case, decided, new, target)
    else:
        decided.standing[new.id] = new
        decided.added[new.id] = said
    decided.note(Operation.SUPERSEDE if target else Operation.ADD, said)


def _nearest(decided: Decided, text: str, target: Fact | None) -> tuple[Fact | None, Likeness]:
    """A fact that says the same as `text`, or less; one that is to be replaced anyway only if it says just that."""
    found: Fact | None = None
    for fact in decided.standing.values():
        how = likeness(text, fact.text)
        if how is Likeness.SAME and (fact is not target or likeness(fact.text, text) is Likeness.SAME):
            return fact, how
        if how is Likeness.MORE and fact is not target:
            found = found or fact
    return found, Likeness.MORE if found else Likeness.OTHER


def _related(decided: Decided, text: str, target: Fact) -> bool:
    if not as_bullet(text).words.isdisjoint(as_bullet(target.text).words):
        return True
    decided.unrelated += 1
    return decided.unrelated <= _TAKEN_AT_THE_MODELS_WORD


def _replaced_since(decided: Decided, text: str, said: Said) -> bool:
    """Whether something else has become true in the place of just that, since it was said."""
    same = says(text)
    past = (past for fact in decided.standing.values() for past in fact.supersedes)
    return any(same(one) and one.replaced_at > said.occurred_at for one in past)


def _made(case: Case, proposal: Proposal, basis: tuple[Said, ...], target: Fact | None) -> Fact:
    one, said = fact_id(case.scope, proposal.text), basis[-1]
    usual = Tier.ARCHIVAL if case.summary else Tier.CONTEXTUAL
    return Fact(
        id=one,
        tier=proposal.tier or (target.tier if target else usual),
        text=proposal.text,
        tokens=case.tokens(proposal.text),
        created_at=said.occurred_at,
        last_confirmed_at=said.occurred_at,
        keywords=proposal.keywords,
        source=said.source,
        uses=target.uses if target else 0,
        compaction=_rests_on(one, basis, case.now),
        epoch=case.epoch,
    )


def _rests_on(one: str, basis: tuple[Said, ...], now: datetime) -> Compaction | None:
    """That a fact rests on several turns: whichever of them is unlearned, it goes, for it cannot be parted."""
    if len(basis) == 1:
        return None
    return Compaction(at=now, origins=tuple(Origin(one, said.source, said.occurred_at) for said in basis))


def _replace(case: Case, decided: Decided, new: Fact, old: Fact) -> None:
    """Put `new` where `old` was, which it remembers."""
    del decided.standing[old.id]
    decided.standing[new.id] = in_place_of(new, old, case.now)
