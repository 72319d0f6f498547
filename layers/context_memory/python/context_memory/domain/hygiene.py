"""What no bullet may hold, whatever it says: text of our prompts, hidden characters, foreign links; and its length."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from context_memory.domain.language import stamps
from context_memory.domain.language.invisible import remove_hidden
from context_memory.domain.language.links import hosts, unlinked
from context_memory.domain.profile import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LONGEST_BULLET", "clean_bullet", "hosts", "is_ours", "is_too_long"]

LONGEST_BULLET = 10_000
"""Characters. What looks for secrets can grow with the square of a bullet's length."""

_CITATION = re.compile(r"(?<!\[)\[{2,}+[ \t]*(cite:[^\[\]\n]*?)[ \t]*\]{2,}", re.IGNORECASE)
_WHOLLY_A_PLACEHOLDER = re.compile(r"[*_]*<[^<>]+>[*_]*[.:]?[*_]*")
_EMPHASIS = re.compile("[*_`]+")
_CLOSING_MARKS = ".!?:;\u2026\u3002\uff01\uff1f"


def is_ours(bullet: str, own_sentences: Iterable[str]) -> bool:
    """Whether a bullet repeats our prompts (R7): holds one of their sentences, or is wholly one `<…>`.

    `own_sentences` are the prompts' sentences and canaries; white space, case, emphasis and a closing mark do not
    matter.
    """
    _, said = stamps.split(bullet.strip())
    if _WHOLLY_A_PLACEHOLDER.fullmatch(said.strip()):
        return True
    repeated = _bare(bullet)
    ours = (_bare(sentence).rstrip(_CLOSING_MARKS) for sentence in own_sentences)
    return any(sentence and sentence in repeated for sentence in ours)


def is_too_long(bullet: str) -> bool:
    """Whether a bullet is longer than any may be, also once its signs are unfolded as whoever searches it does."""
    return len(unicodedata.normalize("NFKC", bullet)) > LONGEST_BULLET


def clean_bullet(text: str, *, user_hosts: frozenset[str]) -> str:
    """The text of a new bullet without what is hidden in it and without foreign links (R8); may come out blank.

    Links and images become their text unless the user wrote their host (`hosts` of the evidence); a citation marker
    loses its brackets. Applied twice it changes nothing more.
    """
    # Each step only shortens, and may bring together what the next round takes out.
    while (cleaned := _CITATION.sub(r"\1", unlinked(remove_hidden(text), user_hosts))) != text:
        text = cleaned
    return text


def _bare(text: str) -> str:
    return fold(_EMPHASIS.sub("", text)).casefold()
