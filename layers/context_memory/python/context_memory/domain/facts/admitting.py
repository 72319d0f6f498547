"""What may be stored of a fact that somebody types or brings along: R7, R8, the last line, deny rules and its length.

The same rules hold for what a model proposes; a person's word needs no evidence beside itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain import hygiene, last_line
from context_memory.domain.facts.fact import LONGEST_TEXT, Tier, normalised
from context_memory.domain.profile import fold
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

MOST_KEYWORDS = 8
LONGEST_KEYWORD = 40
LONGEST_RAW_TEXT = 5_000
"""Characters of a text before white space, hidden characters and links are taken out of it."""


class Unfit(StrEnum):
    """Why a fact is not stored; the values are told to whoever brought it."""

    UNREADABLE = "unreadable"
    """No fact at all: nothing that an eye would see, a placeholder, or characters that have no bytes."""
    EPHEMERAL = "ephemeral"
    """A tier that is never stored."""
    TOO_LONG = "too_long"
    OURS = "ours"
    """It repeats our prompts."""
    SECRET = "secret"  # noqa: S105 - the name of a reason
    """It holds a certain secret."""
    DENY_RULE = "deny_rule"
    FORGOTTEN = "forgotten"
    CAP = "cap"
    """The scope has as many facts as it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A fact as a person gives it.

    Attributes:
        tier: None where they do not say.
        stated_at: when it was stated, where what they bring says so; with `confirmed_at` for the last time.
    """

    text: str
    tier: Tier | None = None
    keywords: tuple[str, ...] = ()
    stated_at: datetime | None = None
    confirmed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Admissible:
    """The text and keywords as they may be stored."""

    text: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactGate:
    """Decides about facts that people bring.

    Attributes:
        own_sentences: sentences and canaries of the prompts, folded.
        own_links: whether links that a text brings along stay in it.
        deny_phrases: the user's phrases; none in shared scopes.
        forgotten: whether a text was forgotten, where that matters.
    """

    own_sentences: frozenset[str]
    own_links: bool
    deny_phrases: tuple[str, ...] = ()
    forgotten: Callable[[str], bool] = lambda _: False

    def admit(self, written: Written) -> Admissible | Unfit:
        """What of it may be stored, or why nothing may."""
        if written.tier is Tier.EPHEMERAL:
            return Unfit.EPHEMERAL
        if len(written.text) > LONGEST_RAW_TEXT:
            return Unfit.TOO_LONG
        text = cleaned(written.text, own_links=self.own_links)
        if text is None or not any(map(str.isalnum, normalised(text))):
            return Unfit.UNREADABLE
        if len(text) > LONGEST_TEXT:
            return Unfit.TOO_LONG
        keywords = _kept(written.keywords)
        return self._reason(text, keywords) or Admissible(text, keywords)

    def _reason(self, text: str, keywords: tuple[str, ...]) -> Unfit | None:
        if hygiene.is_ours(text, self.own_sentences):
            return Unfit.OURS
        if last_line.inspect(" ".join((text, *keywords))).hits:
            return Unfit.SECRET
        if any(is_denied(said, self.deny_phrases) for said in (text, *keywords)):
            return Unfit.DENY_RULE
        return Unfit.FORGOTTEN if self.forgotten(text) else None


def cleaned(text: str, *, own_links: bool) -> str | None:
    """A text as it would be stored: on one line, without what is hidden; None where that leaves no fact."""
    if len(text) > LONGEST_RAW_TEXT:
        return None
    hosts = hygiene.hosts(text) if own_links else frozenset[str]()
    return canonical_bullet(fold(hygiene.clean_bullet(text, user_hosts=hosts)))


def _kept(keywords: tuple[str, ...]) -> tuple[str, ...]:
    """Words that a fact may be found by: short ones, each once, and not too many."""
    cleaned = (fold(hygiene.clean_bullet(word, user_hosts=frozenset())) for word in keywords)
    fitting = dict.fromkeys(
        word for word in cleaned if 0 < len(word) <= LONGEST_KEYWORD and any(map(str.isalnum, word))
    )
    return tuple(fitting)[:MOST_KEYWORDS]
