"""Words that a fact is found by and does not say: nobody reads them, and yet nothing may hide among them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.domain.language.words import plain
from context_memory.domain.profile import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.reconcile.support import Support

MOST_KEYWORDS = 8
_LONGEST = 40
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT_OR_ADDRESS = re.compile(r"[\d@/]")


def kept_keywords(words: Iterable[str], text: str, support: Support) -> tuple[str, ...]:
    """Those keywords that bring no name, number or address that neither the fact nor the user said.

    Args:
        words: as the model gave them.
        text: the fact, whose own words need no keyword.
        support: what the user said.
    """
    said, kept = plain(text), dict[str, None]()
    for word in map(fold, words):
        if 0 < len(word) <= _LONGEST and plain(word) not in said and _is_harmless(word, support):
            kept[word] = None
    return tuple(kept)[:MOST_KEYWORDS]


def _is_harmless(keyword: str, support: Support) -> bool:
    """A name is written with a capital, and scripts without capitals show none: there it must have been said."""
    if _DIGIT_OR_ADDRESS.search(keyword):
        return False
    return all(word.islower() or plain(word) in support.words for word in _WORD.findall(keyword))
