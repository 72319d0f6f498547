"""What a write of facts ends beside: extractions of turns, of which some are kept from then on; or kept turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from context_memory.application.extract.counting import ends_of
from context_memory.application.extract.keeping import kept_of

if TYPE_CHECKING:
    from context_memory.application.extract.work import Work
    from context_memory.domain.facts.deciding import Decided
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.ports.facts import FactsChange

ITEMS_PER_TURN = 3
"""Of one transaction, at most: the turn, its extraction, and that it is kept."""
_FACTS, _CLOSED = "facts", "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of it beside the facts that are put: how many were refused, and how many went for want of room."""

    refused: int
    pruned: int


class Conclusion(Protocol):
    """Completes a change of facts by what it ends."""

    def of(self, change: FactsChange, work: Work, decided: Decided, figures: Figures) -> FactsChange:
        """The change, with the ends."""

    def after(self, clauses: frozenset[str]) -> Conclusion | None:
        """How to try again after a refusal; None where there is nothing left to conclude."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndExtractions:
    """Ends the extractions of a run; `keeps`: their turns are kept where the company wants it."""

    keeps: bool = True

    def of(self, change: FactsChange, work: Work, decided: Decided, figures: Figures) -> FactsChange:
        """Each turn ends with its own facts."""
        changed = bool(change.puts or change.drops)
        ends = ends_of(work.turns, decided, refused=figures.refused, pruned=figures.pruned, changed=changed)
        return replace(change, ends=ends, keeps=kept_of(work) if self.keeps else ())

    def after(self, clauses: frozenset[str]) -> EndExtractions | None:
        """Others were faster with facts; or the user asked to forget something since, and nothing is kept of it."""
        if clauses - {_FACTS, _CLOSED}:
            return None
        return replace(self, keeps=self.keeps and _CLOSED not in clauses)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndKeeping:
    """Ends that turns are kept: what is worth it in them are facts now."""

    turns: tuple[KeptTurn, ...]

    def of(self, change: FactsChange, work: Work, decided: Decided, figures: Figures) -> FactsChange:
        """All of them go, whatever came of them."""
        del work, decided, figures
        return replace(change, lets_go=self.turns)

    def after(self, clauses: frozenset[str]) -> EndKeeping | None:
        """Only where others were faster with facts."""
        return None if clauses - {_FACTS} else self
