"""What a user never wants remembered: phrases of their own, and kinds of things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.language.invisible import remove_hidden
from context_memory.domain.language.words import plain
from context_memory.domain.profile import Bullets, fold
from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_RULES = 20
"""Phrases and kinds together."""
LONGEST_PHRASE = 100
"""Characters of one phrase."""

KINDS = {
    "health": "the user's health: illnesses, therapies, medication, disabilities",
    "religion": "the user's religion or belief",
    "politics": "the user's political opinions, parties and votes",
    "family": "the user's family, partners and children",
    "location": "where the user lives, works, is or travels to",
}
"""Kinds that can be denied, and how the prompts put them."""


def checked(phrases: Sequence[str], kinds: Iterable[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Phrases and kinds that can be rules: on one line, nothing hidden in them, each once.

    Raises:
        InvalidInput: too many; a phrase too long, or without any letter or digit, which would match nothing.
    """
    denied = frozenset(kinds)
    if len(phrases) + len(denied) > MOST_RULES:
        raise InvalidInput("phrases", f"must be at most {MOST_RULES} together with kinds")
    once = {plain(clean): clean for clean in map(_checked, range(len(phrases)), phrases)}
    return tuple(once.values()), denied


def in_words(phrases: Iterable[str], kinds: Iterable[str]) -> list[str]:
    """The rules as the prompts show them, one line each; kinds in the order of `KINDS`."""
    denied = frozenset(kinds)
    return [*phrases, *(words for kind, words in KINDS.items() if kind in denied)]


def without_denied(bullets: Bullets, phrases: tuple[str, ...]) -> Bullets:
    """The bullets that hold none of the phrases; pinned ones are no exception, for the newest wish counts."""
    return Bullets.of(
        {section: [text for text in texts if not is_denied(text, phrases)] for section, texts in bullets.sections()}
    )


def _checked(position: int, phrase: str) -> str:
    clean = fold(remove_hidden(phrase))
    if not any(map(str.isalnum, clean)):
        raise InvalidInput(f"phrases.{position}", "must have a letter or a digit")
    if len(clean) > LONGEST_PHRASE:
        raise InvalidInput(f"phrases.{position}", f"must have at most {LONGEST_PHRASE} characters")
    return clean
