"""What is asked of an index, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.vectors import Vector

KEYWORDS, MEANING = "keywords", "meaning"
ALWAYS = "core"
"""Why a fact is given that nothing in the query asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for.

    Attributes:
        text: any text.
        vector: None where vectors are off or out of reach.
        ephemeral: facts of this chat, which are ranked with the rest and not kept.
        limit: the most matches.
    """

    text: str
    vector: Vector | None = None
    ephemeral: tuple[Fact, ...] = ()
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Match:
    """A fact that was found.

    Attributes:
        fact: what was found.
        scope: whose it is; None for one of this chat.
        score: between 0 and 1, comparable within one search: 1 is what both legs hold for the best.
        why: the legs that found it, of `keywords` and `meaning`; `core` where nothing in the query asks for it.
    """

    fact: Fact
    scope: FactScope | None
    score: float
    why: tuple[str, ...]

    @property
    def always(self) -> bool:
        """Whether it is here for what it is, and not for what is asked."""
        return self.why == (ALWAYS,)


def given_always(fact: Fact, scope: FactScope) -> Match:
    """A core fact, whatever is asked."""
    return Match(fact, scope, 0.0, (ALWAYS,))
