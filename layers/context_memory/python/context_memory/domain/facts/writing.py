"""What a person's fact becomes: a new one, or one that stands and is stated again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Fact, Tier, fact_id
from context_memory.domain.facts.scopes import UserScope

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from context_memory.domain.facts.admitting import Admissible, Written
    from context_memory.domain.facts.scopes import FactScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Writes facts into one scope, at one time; nothing that people bring is dated later than that.

    What somebody writes about a user is still to be read by the policy's reader; what an administrator lets everybody
    be reminded of is the company's own word.

    `tokens` counts a text; `epoch` is of the user's memory, 0 in shared scopes.
    """

    scope: FactScope
    epoch: int
    now: datetime
    tokens: Callable[[str], int]

    def new(self, written: Written, text: Admissible) -> Fact:
        """A fact that nobody has stated yet. It comes from no turn, whatever a file says of it."""
        stated = min(written.stated_at or written.confirmed_at or self.now, self.now)
        return Fact(
            id=fact_id(self.scope, text.text),
            tier=written.tier or Tier.CONTEXTUAL,
            text=text.text,
            tokens=self.tokens(text.text),
            created_at=stated,
            last_confirmed_at=max(stated, min(written.confirmed_at or stated, self.now)),
            keywords=text.keywords,
            epoch=self.epoch,
            unchecked=self._must_be_read,
        )

    def confirmed(self, stands: Fact, written: Written, text: Admissible) -> Fact:
        """A fact that is stated again, as it was written last; what it is known by otherwise stays."""
        at = min(written.confirmed_at or written.stated_at or self.now, self.now)
        same = stands.text == text.text
        keywords = text.keywords or stands.keywords
        return replace(
            stands,
            text=text.text,
            tokens=stands.tokens if same else self.tokens(text.text),
            vector=stands.vector if same else None,
            tier=written.tier or stands.tier,
            keywords=keywords,
            last_confirmed_at=max(stands.last_confirmed_at, at),
            unchecked=stands.unchecked or (self._must_be_read and not (same and keywords == stands.keywords)),
        )

    @property
    def _must_be_read(self) -> bool:
        return isinstance(self.scope, UserScope)
