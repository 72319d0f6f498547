"""What a person's fact becomes: a new one, or one that stands and is stated again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Fact, Tier, fact_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from context_memory.domain.facts.admitting import Admissible, Written
    from context_memory.domain.facts.scopes import FactScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Writes facts into one scope, at one time; nothing that people bring is dated later than that.

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
        )

    def confirmed(self, stands: Fact, written: Written, text: Admissible) -> Fact:
        """A fact that is stated again, as it was written last; what it is known by otherwise stays."""
        at = min(written.confirmed_at or written.stated_at or self.now, self.now)
        same = stands.text == text.text
        return replace(
            stands,
            text=text.text,
            tokens=stands.tokens if same else self.tokens(text.text),
            vector=stands.vector if same else None,
            tier=written.tier or stands.tier,
            keywords=text.keywords or stands.keywords,
            last_confirmed_at=max(stands.last_confirmed_at, at),
        )
