"""Which facts are given: each tier by its own rule, within budgets of hits and of tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Tier, normalised
from context_memory.domain.recall.match import Match, given_always

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope

MOST_CORE = 30
"""Core facts that an index gives of a scope which nobody reads whole: twice as many as are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """How much a recall gives. Core facts count beside `hits`, inside `tokens`.

    Attributes:
        hits: facts that the query found.
        tokens: of all facts together.
        core: facts that are always given.
        contextual_tokens: of contextual and ephemeral facts together.
        archival_tokens: of archival facts together.
        archival_score: what an archival fact must reach.
        line_tokens: what a fact costs beside its text: its bullet and its marker.
    """

    hits: int = 12
    tokens: int = 1200
    core: int = 15
    contextual_tokens: int = 900
    archival_tokens: int = 300
    archival_score: float = 0.6
    line_tokens: int = 0


def chosen(
    found: Sequence[Match],
    core: Iterable[tuple[Fact, FactScope]],
    budgets: Budgets,
    shown: Iterable[str] = (),
) -> tuple[Match, ...]:
    """The facts that are given: core ones first, then what the query found, the best first.

    A fact that does not fit is passed over, and a shorter one behind it may still fit. An archival fact is given only
    behind all others, when it is very relevant and room is left.

    Args:
        found: what an index found, the best first.
        core: every core fact of the scopes, whether the query found it or not.
        budgets: how much is given.
        shown: texts that the reader sees anyway, such as bullets of the loaded profile; they are not given again.
    """
    room = _Room(budgets, {normalised(text) for text in shown})
    kept = [match for match in _always(found, core) if room.takes_core(match)]
    relevant = [match for match in found if match.fact.tier is not Tier.CORE]
    kept += [match for match in relevant if match.fact.tier is not Tier.ARCHIVAL and room.takes_contextual(match)]
    kept += [match for match in relevant if match.fact.tier is Tier.ARCHIVAL and room.takes_archival(match)]
    first = sum(match.fact.tier is Tier.CORE for match in kept)
    return (*kept[:first], *sorted(kept[first:], key=lambda match: -match.score))


def core_among(facts: Iterable[Fact]) -> list[Fact]:
    """The core facts, those that were confirmed last, at most `MOST_CORE`."""
    core = (fact for fact in facts if fact.tier is Tier.CORE)
    return sorted(core, key=lambda fact: (fact.last_confirmed_at, fact.id), reverse=True)[:MOST_CORE]


def _always(found: Sequence[Match], core: Iterable[tuple[Fact, FactScope]]) -> list[Match]:
    """Core facts: those that the query found, then the others by when they were last confirmed."""
    of_tier = [match for match in found if match.fact.tier is Tier.CORE]
    asked = [match for match in of_tier if not match.always]
    known = {(match.scope, match.fact.id) for match in asked}
    others = [match for match in of_tier if match.always] + [given_always(*one) for one in core]
    rest = (match for match in others if (match.scope, match.fact.id) not in known)
    return asked + sorted(rest, key=lambda match: (match.fact.last_confirmed_at, match.fact.id), reverse=True)


@dataclass(slots=True)
class _Room:
    """What is left of the budgets, and the texts that need not be given (again)."""

    budgets: Budgets
    said: set[str]
    hits: int = 0
    core: int = 0
    spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("all", "contextual", "archival"), 0))

    def takes_core(self, match: Match) -> bool:
        if self.core >= self.budgets.core or not self._spend(match, "core", self.budgets.tokens):
            return False
        self.core += 1
        return True

    def takes_contextual(self, match: Match) -> bool:
        return self._takes(match, "contextual", self.budgets.contextual_tokens)

    def takes_archival(self, match: Match) -> bool:
        relevant = match.score >= self.budgets.archival_score
        return relevant and self._takes(match, "archival", self.budgets.archival_tokens)

    def _takes(self, match: Match, kind: str, most: int) -> bool:
        if self.hits >= self.budgets.hits or not self._spend(match, kind, most):
            return False
        self.hits += 1
        return True

    def _spend(self, match: Match, kind: str, most: int) -> bool:
        text = normalised(match.fact.text)
        costs = match.fact.tokens + self.budgets.line_tokens
        of_kind = self.spent.get(kind, 0) + costs
        if text in self.said or of_kind > most or self.spent["all"] + costs > self.budgets.tokens:
            return False
        self.said.add(text)
        self.spent[kind] = of_kind
        self.spent["all"] += costs
        return True
