"""A question whose user may recall, and all that decides how it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Tier
from context_memory.domain.spaces import RecallSettings

if TYPE_CHECKING:
    from context_memory.application.recall.ahead import Ahead
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.question import Question
    from context_memory.domain.spaces import SpaceSettings
    from context_memory.domain.state import UserState
    from context_memory.ports.indexes import LargeScope
    from context_memory.ports.recall import IndexedScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Who asks what, under which settings, and what was asked of the world already."""

    user: UserKey
    question: Question
    flags: CompanyFlags
    space: SpaceSettings | None
    state: UserState
    ahead: Ahead

    @property
    def settings(self) -> RecallSettings:
        """What the space does with facts."""
        return self.space.recall if self.space else RecallSettings()

    @property
    def epoch(self) -> int:
        """Of the user's memory."""
        return self.state.settings.epoch

    @property
    def cap(self) -> int:
        """Tokens of the profile that a load of this space shows."""
        return min(self.flags.max_tokens, (self.space and self.space.max_tokens) or self.flags.max_tokens)


@dataclass(frozen=True, slots=True)
class Material:
    """The facts that may be given: those of the scopes, those of the chat, and what is only found in an index."""

    scopes: tuple[IndexedScope, ...]
    large: tuple[LargeScope, ...]
    ephemeral: tuple[Fact, ...]

    def by_id(self) -> dict[str, tuple[Fact, FactScope | None]]:
        """Every fact that was read, with its scope; the ids of different scopes differ."""
        stored = {fact.id: (fact, one.scope) for one in self.scopes for fact in one.facts}
        return {**{fact.id: (fact, None) for fact in self.ephemeral}, **stored}

    def core(self) -> list[tuple[Fact, FactScope]]:
        """Facts of the tier core; those of large scopes come with what is found there."""
        return [(fact, one.scope) for one in self.scopes for fact in one.facts if fact.tier is Tier.CORE]

    def matches(self, others: int, *, most: int) -> int:
        """How many matches are wanted so that enough are left once core and archival facts were passed over.

        Args:
            others: that are wanted beside these.
            most: so many at most, and where nobody knows how many facts are of which tier.
        """
        if self.large:
            return most
        passed = sum(fact.tier is not Tier.CONTEXTUAL for one in self.scopes for fact in one.facts)
        return min(others + passed, most)
