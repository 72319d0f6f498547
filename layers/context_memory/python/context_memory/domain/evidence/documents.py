"""Cutting the documents that somebody hands over out of the words around them.

Where a document ends nobody can tell who does not trust it: it may say "Thanks! By the way, I …" itself. So it reaches
to the end of the message, unless it stands in quotation marks on the line that announces it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.domain.evidence.announcement import Announcement, Certainty, announcements
from context_memory.domain.language.invisible import as_seen, nothing_to_see

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_OWN_BLOCK = 1500
"""Characters of one block that somebody may still have typed beside other text."""

SHORTEST_LIKELY_DOCUMENT = 600
"""Characters behind a likely announcement, or on the line of a clear one, that nobody adds to a request."""

_PARAGRAPH_BREAK = re.compile(r"\n(?:[^\S\n]*\n)+")
# Greedy up to the last mark of the line: a mark inside the quoted text does not end it.
_QUOTED = re.compile(r"""[^\S\n]*["\u201c\u201e\u00ab\u300c\u300e].*["\u201d\u201c\u00bb\u300d\u300f]""")
_OPENS_QUOTATION = re.compile(r"""\s*["\u201c\u201e\u00ab\u300c\u300e]""")
_COLONS = (":", "\uff1a")
_LIST_ITEM = re.compile(r"\s*(?:[-*+\u2022\u00b7]|\d{1,3}[.)])\s")


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of `text`, none of them blank."""
    return [paragraph for paragraph in _PARAGRAPH_BREAK.split(text) if not nothing_to_see(paragraph)]


def told_apart(text: str, *, follows_answer: bool) -> Iterator[tuple[bool, str]]:
    """The stretches of `text` in order, none blank, each with whether it is a document that was handed over.

    `follows_answer` tells whether an answer precedes `text`, which "translate that" may mean instead.
    """
    position = 0
    for start, end in [*_documents(text, follows_answer=follows_answer), (len(text), len(text))]:
        for is_document, stretch in ((False, text[position:start]), (True, text[start:end])):
            if not nothing_to_see(stretch):
                yield is_document, stretch.strip()
        position = end


def end_announces(words: str, next_text: str, *, follows_answer: bool) -> bool:
    """Whether the last sentence of `words` hands over `next_text`, the message or part behind them."""
    found_in_words = announcements(words, follows_answer=follows_answer)
    return any(_covers(found, next_text) for found in found_in_words if nothing_to_see(words[found.end :]))


def hands_over_what_is_above(words: str, length: int) -> bool:
    """Whether `words` ("Please summarise this.") hand over a text of `length` characters that stands above them."""
    return length >= SHORTEST_LIKELY_DOCUMENT and any(found.may_point_back for found in announcements(words))


def _documents(text: str, *, follows_answer: bool) -> Iterator[tuple[int, int]]:
    """Spans of the documents; the last one reaches to the end of `text` unless it is quoted within a line."""
    heading_at = _long_text_below_a_heading(text)
    position = 0
    for announcement in announcements(text, follows_answer=follows_answer):
        if announcement.end < position:
            continue
        if announcement.end > heading_at:
            break
        if quoted := _QUOTED.match(text, announcement.end):
            position = quoted.end()
            yield quoted.span()
        elif (start := _start(text, announcement)) is not None:
            yield start, len(text)
            return
    if heading_at < len(text):
        yield heading_at, len(text)


def _start(text: str, announcement: Announcement) -> int | None:
    """Where the document behind an announcement begins, None if what follows is none."""
    line_end = _end_of_line(text, announcement.end)
    beside, below = text[announcement.end : line_end], text[line_end:]
    if nothing_to_see(beside):
        return line_end if _covers(announcement, below) else None
    if _OPENS_QUOTATION.match(beside):
        return announcement.end
    # The user's own words may stand on the same line, before or instead of the document.
    if announcement.certainty is Certainty.CLEAR and len(beside) >= SHORTEST_LIKELY_DOCUMENT:
        return announcement.end
    if text.endswith(_COLONS, 0, announcement.end):
        return line_end if len(below) >= SHORTEST_LIKELY_DOCUMENT else None
    # Below a blank line is what the sentence hands over, whatever else its paragraph says: "Summarise this. Be brief."
    kept = announcement if _PARAGRAPH_BREAK.match(text, line_end) else announcement.as_likely()
    return line_end if _covers(kept, below) else None


def _long_text_below_a_heading(text: str) -> int:
    """Where a text too long to be typed begins below a line that ends in a colon; `len(text)` when there is none.

    The line opens a paragraph or closes one. A list below a line that opens its paragraph is no such text.
    """
    position = 0
    for paragraph in _PARAGRAPH_BREAK.split(text):
        start = text.index(paragraph, position)
        position = start + len(paragraph)
        first_end = _end_of_line(text, start)
        if first_end < position and _LIST_ITEM.match(text, first_end + 1):
            first_end = position
        for line_end in (first_end, position):
            if len(text) - line_end <= LONGEST_OWN_BLOCK:
                continue
            if as_seen(text[start:line_end]).rstrip("*_ ").endswith(":"):
                return line_end
    return len(text)


def _end_of_line(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found < 0 else found


def _covers(announcement: Announcement, document: str) -> bool:
    """Whether `document`, which begins on a line of its own, is what `announcement` hands over.

    A clear announcement hands over whatever follows; a likely one only what nobody adds to a request.
    """
    if nothing_to_see(document):
        return False
    if announcement.certainty is Certainty.CLEAR or _OPENS_QUOTATION.match(document):
        return True
    return len(document) >= SHORTEST_LIKELY_DOCUMENT or len(paragraphs_of(document)) > 1
