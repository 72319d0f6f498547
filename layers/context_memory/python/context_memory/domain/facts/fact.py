"""One fact: what it says, where it counts, and where it comes from."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.vectors import Vector

MOST_PAST = 10
"""Superseded texts that a fact remembers."""
LONGEST_TEXT = 500
"""Characters of a fact."""
_ID_DIGITS = 20
_LAST_MARKS = ".!。! "


class Tier(StrEnum):
    """How much must speak for a fact before it is recalled."""

    CORE = "core"
    CONTEXTUAL = "contextual"
    ARCHIVAL = "archival"
    EPHEMERAL = "ephemeral"
    """Of one chat, handed in with the request, never stored."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from: a turn, its chat and its space; none of them for what a person wrote or imported.

    `provider`: the channel's user through which the turn came, as links spell it; None where the user was named.
    """

    turn_id: str | None = None
    chat_id: str | None = None
    provider: str | None = None
    space_id: str | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What a fact said before, under the id that it had then.

    Attributes:
        tier: that it was of; `source` and `created_at` tell where it came from, so that it can be brought back.
        origins: likewise, where it stood for several.
    """

    id: str
    text: str
    replaced_at: datetime
    tier: Tier = Tier.CONTEXTUAL
    source: Source = Source()
    created_at: datetime | None = None
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one of several facts came from that were merged, when it was first stated, and the id that it had."""

    id: str
    source: Source
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """How a fact came to stand for several.

    Attributes:
        at: when they were merged.
        origins: where each of them came from, which stays known for as long as the fact stands.
        originals: the facts as they were, but for their vectors; none once it cannot be undone any more.
    """

    at: datetime
    origins: tuple[Origin, ...]
    originals: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact of one scope; `fact_id` makes its id.

    Attributes:
        tokens: of its text, counted when it was written.
        keywords: words that it is found by and does not say.
        vector: None where no embedding model is configured, or was out of reach.
        epoch: of its user's memory; 0 in shared scopes.
        last_confirmed_at: when it was last stated.
        uses: how often an answer cited it.
        supersedes: what it said before, the newest first.
        compaction: what it was merged from; None where it was stated as it is.
        unchecked: whether a person wrote it, and the policy's reader has still to see it.
    """

    id: str
    tier: Tier
    text: str
    tokens: int
    created_at: datetime
    last_confirmed_at: datetime
    keywords: tuple[str, ...] = ()
    vector: Vector | None = None
    source: Source = Source()
    uses: int = 0
    supersedes: tuple[Past, ...] = ()
    compaction: Compaction | None = None
    epoch: int = 0
    unchecked: bool = False


def normalised(text: str) -> str:
    """What of a text makes it this fact: case, width, blanks and the last full stop do not matter."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).rstrip(_LAST_MARKS)


def fact_id(scope: FactScope, text: str) -> str:
    """Id of a fact: the same text in another scope is another fact."""
    named = f"{scope.partition}\0{normalised(text)}"
    return hashlib.sha256(named.encode()).hexdigest()[:_ID_DIGITS]


def moved_to(scope: FactScope, fact: Fact) -> Fact:
    """The same fact in another scope, with what it said before, and those that it was merged from."""
    past = tuple(replace(one, id=fact_id(scope, one.text)) for one in fact.supersedes)
    there = replace(fact, id=fact_id(scope, fact.text), supersedes=past)
    if fact.compaction is None:
        return there
    originals = tuple(moved_to(scope, one) for one in fact.compaction.originals)
    return replace(there, compaction=replace(fact.compaction, originals=originals))
