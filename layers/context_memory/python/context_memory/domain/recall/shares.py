"""How the tokens of a recall are shared between tiers."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.domain.recall.block import FRAME_TOKENS, LINE_TOKENS
from context_memory.domain.recall.selection import Budgets


@dataclass(frozen=True, slots=True, kw_only=True)
class TierShares:
    """Shares of a request's tokens; facts of the tier core may take all of them.

    Attributes:
        contextual: of contextual and ephemeral facts together.
        archival: of archival facts.
        archival_score: how relevant an archival fact must be, from 0 to 1.
    """

    contextual: float = 0.75
    archival: float = 0.25
    archival_score: float = 0.6

    def budgets(self, *, hits: int, tokens: int) -> Budgets:
        """Budgets of a request.

        Args:
            hits: facts beside those of the tier core.
            tokens: of the whole block, its frame included.
        """
        room = tokens - FRAME_TOKENS
        return Budgets(
            hits=hits,
            tokens=room,
            contextual_tokens=int(room * self.contextual),
            archival_tokens=int(room * self.archival),
            archival_score=self.archival_score,
            line_tokens=LINE_TOKENS,
        )
