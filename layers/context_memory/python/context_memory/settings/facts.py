"""How the tokens of a recall are shared between tiers, where an environment wants it otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.domain.recall.floors import Floors
from context_memory.domain.recall.shares import TierShares
from context_memory.settings.reading import FromEnvironment, variable
from context_memory.settings.values import share

_DEFAULTS, _FLOORS = TierShares(), Floors()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsSettings(FromEnvironment):
    """Shares of a request's tokens, how relevant an archival fact must be, and how near what is found by meaning."""

    contextual_share: float = variable("CONTEXTUAL_SHARE", share, default=_DEFAULTS.contextual)
    archival_share: float = variable("ARCHIVAL_SHARE", share, default=_DEFAULTS.archival)
    archival_score: float = variable("ARCHIVAL_SCORE", share, default=_DEFAULTS.archival_score)
    floor: float = variable("MEANING_FLOOR", share, default=_FLOORS.any)
    archival_floor: float = variable("ARCHIVAL_MEANING_FLOOR", share, default=_FLOORS.archival)

    @property
    def floors(self) -> Floors:
        """As the domain knows them."""
        return Floors(any=self.floor, archival=self.archival_floor)

    @property
    def shares(self) -> TierShares:
        """As the domain knows them."""
        return TierShares(
            contextual=self.contextual_share, archival=self.archival_share, archival_score=self.archival_score
        )
