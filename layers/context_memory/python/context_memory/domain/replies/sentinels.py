"""Finding the one word that a call asks for, however it is dressed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.language.invisible import as_seen

if TYPE_CHECKING:
    from collections.abc import Iterable

_QUOTES = "\"'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f"
_EMPHASIS = f"*_{_QUOTES}"
_BLANKS = " \t\r\n\f\v"
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*(?P<info>[\w-]*)[ \t]*\n")
_LABEL = re.compile(rf"[^\W\d_]+(?:[ -][^\W\d_]+){{0,3}}[\s`{re.escape(_EMPHASIS)}]*:")


@dataclass(frozen=True, slots=True)
class Sentinel:
    """The word found, in upper case, and what stands behind it, closing quotes and marks included."""

    word: str
    behind: str

    @property
    def stands_alone(self) -> bool:
        """Whether nothing but marks stands behind it on its line."""
        return not any(map(str.isalnum, self.behind.partition("\n")[0]))


def first_sentinel(text: str, words: Iterable[str]) -> Sentinel | None:
    """The one of `words` that `text` begins with, in any case; None when it begins with none or is contradictory.

    Before it may stand a label ("Decision:"), around it quotes, backticks, emphasis or a fence. Behind it comes the
    end, punctuation or a reason; another of the words right behind it makes the answer unreadable.
    """
    choice = "|".join(map(re.escape, words))
    word = re.compile(rf"({choice})(?![^\W_]|-\w|_+[^\W_])", re.IGNORECASE)
    another = re.compile(rf"[\W_]*(?:{choice})(?![^\W_])", re.IGNORECASE)
    text = _undressed(as_seen(text), choice)
    found = word.match(text)
    if found is None and (label := _LABEL.match(text)):
        text = _undressed(text[label.end() :], choice)
        found = word.match(text)
    if found is None or another.match(text, found.end()):
        return None
    return Sentinel(found[1].upper(), text[found.end() :])


def _undressed(text: str, choice: str) -> str:
    """Take off what may stand before the word: blanks, a fence's first line, quotes and emphasis."""
    text = text.lstrip(_EMPHASIS + _BLANKS)
    fence = _FENCE.match(text)
    if fence and not re.fullmatch(choice, fence["info"], re.IGNORECASE):
        text = text[fence.end() :]
    return text.lstrip(_EMPHASIS + _BLANKS + "`~")
