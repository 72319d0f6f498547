"""Markers by which an answer says which fact it rests on: `[[cite:mem:<id>]]` behind each fact that was given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Answers arrive in pieces, and models spell as they like: blanks between any two characters, capitals, brackets
# escaped for Markdown, and several ids in one marker are read, too. Each is bounded, so that no text costs much.
_GAP = r"\s{0,4}"
_OPENING = rf"\\?\[{_GAP}\\?\[{_GAP}" + _GAP.join("cite:mem:")
_CLOSING = rf"\\?\]{_GAP}\\?\]"
_LONGEST = 200
"""Characters between the opening and the closing brackets; what is longer was never a marker."""
# Where an answer was cut off its last marker has no end, and is no text for anybody to read.
_MARKER = re.compile(rf"{_OPENING}(?P<ids>[^\[\]\\]{{0,{_LONGEST}}})(?:{_CLOSING}|(?:\\?\])?{_GAP}\Z)", re.IGNORECASE)
_LIKE_ONE = re.compile(rf"\\?\[{_GAP}\\?\[(?={_GAP}{_GAP.join('cite')})", re.IGNORECASE)
_SEPARATOR = re.compile("[,;|]")
_PREFIX = re.compile("^(?:cite:)?mem:")
# Behind what is taken out: the blank before it parts no two words any more.
_PARTS_NOTHING = re.compile(r"[\s.,;:!?…)\]]|\Z")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in an answer: where it stands, and the ids that it names, in lower case; one that names none has ''."""

    start: int
    end: int
    ids: tuple[str, ...]


def marker(fact_id: str) -> str:
    """How a fact is cited."""
    return f"[[cite:mem:{fact_id}]]"


def markers(answer: str) -> Iterator[Marker]:
    """The markers of an answer in their order, however they are spelled."""
    for found in _MARKER.finditer(answer):
        spelled = (_BLANKS.sub("", one).casefold() for one in _SEPARATOR.split(found["ids"]))
        ids = tuple(dict.fromkeys(_PREFIX.sub("", one) for one in spelled))
        yield Marker(found.start(), found.end(), tuple(filter(None, ids)) or ("",))


def rewritten(answer: str, kept: Callable[[str], bool]) -> str:
    """The answer with its markers spelled as ours are, without those ids that are not `kept`.

    A marker of which nothing is left takes the blank before it along where the sentence would stand apart otherwise
    ("a boat ."). Whatever else is no marker stays as it is, byte for byte.
    """
    written, position = [], 0
    for found in markers(answer):
        written.append(answer[position : found.start])
        position = found.end
        left = "".join(map(marker, filter(kept, found.ids)))
        if not left and _PARTS_NOTHING.match(answer, position):
            while written and not written[-1]:
                written.pop()
            written[-1:] = [one.removesuffix(" ") for one in written[-1:]]
        written.append(left)
    return "".join((*written, answer[position:]))


def defused(text: str) -> str:
    """A text in which nothing can be taken for a marker: `((cite:…` instead of `[[cite:…`."""
    return _LIKE_ONE.sub("((", text)
