"""What nearness says that no word of the query bears out: too little of it says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Tier
from context_memory.domain.recall.match import MEANING

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.recall.fusion import Fused


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """How near a fact must be that its vector alone leads to: the cosine of the angle at the mean of all facts.

    Something is always nearest, whatever is asked. Of 200 facts of LoCoMo's conversations the one that is nearest to a
    question about another conversation is at 0.24, in one of twenty at 0.34; what answers a question is at 0.40, in
    three of four at 0.24 or more.

    Attributes:
        any: of any fact.
        archival: of an archival one.
    """

    any: float = 0.22
    archival: float = 0.35

    def keep(self, find: Fused, fact: Fact, cosine: float) -> bool:
        """Whether a find is one: a word leads to it, or it is near enough."""
        return find.legs != (MEANING,) or cosine >= (self.archival if fact.tier is Tier.ARCHIVAL else self.any)


MEASURED, NONE = Floors(), Floors(any=0.0, archival=0.0)
