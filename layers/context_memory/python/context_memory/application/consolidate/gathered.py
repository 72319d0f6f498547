"""Waiting turns with all that a chain needs of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Source
from context_memory.domain.facts.sources import Said

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.evidence import Evidence
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import Turn, TurnRecord


@dataclass(frozen=True, slots=True)
class GatheredTurn:
    """One turn: its record, what was said, and what of it is evidence.

    `model` rewrites the profile, `gated` says that a small question comes first: what space and turn chose.
    `tried` says that an earlier attempt came to nothing: what happens to it now must not happen to its neighbours.
    """

    record: TurnRecord
    turn: Turn
    evidence: Evidence
    model: str
    gated: bool
    late: bool
    tried: bool = False

    def runs_with(self, other: GatheredTurn) -> bool:
        """Whether both may be one chain: the same effective settings, and none of them has to run alone."""
        return self._effective == other._effective and not self.keeps_apart and not other.keeps_apart

    @property
    def keeps_apart(self) -> bool:
        """Tried before, sent apart, silenced, or replacing another: what it does must be told from others' doings."""
        silenced = not self.record.teaches
        return self.record.alone or self.tried or silenced or self.turn.supersedes_turn_id is not None

    @property
    def said(self) -> Said:
        """What may be learned from it rests on this."""
        source = Source(self.record.turn_id, self.turn.chat_id)
        return Said(source=source, occurred_at=self.turn.occurred_at, grounds=self.evidence.grounds)

    @property
    def _effective(self) -> tuple[object, ...]:
        return self.gated, self.model, self.turn.write, self.late, self.turn.display_name


def is_late(turn: Turn, state: UserState) -> bool:
    """Whether the turn is older than the newest one that was consolidated."""
    return state.consolidated_through is not None and turn.occurred_at < state.consolidated_through


def teaches(turns: tuple[GatheredTurn, ...]) -> bool:
    """Whether anything may be learned from them: one from which nothing may runs alone."""
    return all(gathered.record.teaches for gathered in turns)


def grounds_text(turns: tuple[GatheredTurn, ...]) -> str:
    """All that new bullets may rest on."""
    return "\n\n".join(gathered.evidence.grounds for gathered in turns)


def newest(turns: tuple[GatheredTurn, ...]) -> datetime:
    """When the youngest of the turns happened."""
    return max(gathered.turn.occurred_at for gathered in turns)
