"""Turns whose facts are to be extracted, with all that a run needs of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Source
from context_memory.domain.facts.sources import Said
from context_memory.domain.reconcile import Grounds

if TYPE_CHECKING:
    from context_memory.domain.evidence import Evidence
    from context_memory.domain.facts.outcomes import FactsOutcome
    from context_memory.domain.spaces import RecallSettings
    from context_memory.domain.turn import Turn
    from context_memory.ports.facts import PendingExtraction


@dataclass(frozen=True, slots=True)
class Gathered:
    """One turn: that its facts are pending, what was said, what of it is evidence, and what its space wants."""

    pending: PendingExtraction
    turn: Turn
    evidence: Evidence
    recall: RecallSettings

    def runs_with(self, other: Gathered) -> bool:
        """Whether both may be one run: of the same user under the same settings, and none has to run alone."""
        return self._effective == other._effective and not self.keeps_apart and not other.keeps_apart

    @property
    def keeps_apart(self) -> bool:
        """Tried before, asking to forget, or replacing another turn: it must not decide over its neighbours."""
        return self.pending.attempts > 0 or self.pending.forgets or self.turn.supersedes_turn_id is not None

    @property
    def said(self) -> Said:
        """What its facts may rest on."""
        provider, space_id = self.pending.provider, self.turn.space_id
        source = Source(self.pending.turn_id, self.turn.chat_id, provider, space_id)
        return Said(source=source, occurred_at=self.turn.occurred_at, grounds=self.evidence.grounds)

    @property
    def _effective(self) -> tuple[object, ...]:
        return self.recall.pruning, self.turn.display_name


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that ends without a model, and how."""

    pending: PendingExtraction
    outcome: FactsOutcome


@dataclass(frozen=True, slots=True)
class Early:
    """A turn that the switches forbid, which may not be the last word."""

    pending: PendingExtraction


@dataclass(frozen=True, slots=True)
class Broken:
    """A turn that our own code failed to read."""

    pending: PendingExtraction
    error: Exception


def grounds_of(turns: tuple[Gathered, ...], last_zone: str | None) -> Grounds:
    """All that facts of these turns may rest on."""
    return Grounds(
        text="\n\n".join(gathered.evidence.grounds for gathered in turns),
        occurred_at=max(gathered.turn.occurred_at for gathered in turns),
        time_zone=turns[-1].turn.time_zone or last_zone,
        forget=any(gathered.pending.forgets for gathered in turns),
    )
