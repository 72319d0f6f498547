"""Where a text hands over another text: "Please summarise the article below.", "Translate this:"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from context_memory.domain.evidence import announcement_phrases as phrases
from context_memory.domain.evidence import handing_phrases
from context_memory.domain.evidence.claims import as_spoken
from context_memory.domain.evidence.standing_wishes import is_standing_wish
from context_memory.domain.evidence.text_requests import asks_for_any_work, asks_for_text_work, points_to_a_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_SENTENCE = 300
"""Characters of a sentence that are read: requests are short, and a megabyte may hold no full stop."""

# A quotation mark that opens ends a sentence as well: 'Translate "hello"'.
_SENTENCE = re.compile(
    r"""[^\n.!?:\u2026\u3002\uff01\uff1f\uff1a\u061f"\u201c\u201e\u00ab\u300c\u300e]+
        (?:[.!?:\u2026\u3002\uff01\uff1f\uff1a\u061f]+[*_)]*)?""",
    re.VERBOSE,
)
_OPENING_MARKS = tuple('"\u201c\u201e\u00ab\u300c\u300e')
_CLEAR = re.compile("|".join([*phrases.CLEAR.values(), *handing_phrases.CLEAR]))
_LIKELY = re.compile("|".join([*phrases.LIKELY.values(), *handing_phrases.LIKELY, phrases.REPORTS]))
_THIS_TEXT = re.compile("|".join(handing_phrases.THIS_TEXT))


class Certainty(Enum):
    """How sure it is that a text follows."""

    LIKELY = "likely"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A sentence that hands over a text; what it hands over begins behind `end` (an offset in characters).

    `may_point_back` tells whether it can as well mean a text that stands before it ("Summarise this.").
    """

    end: int
    certainty: Certainty
    may_point_back: bool

    def as_likely(self) -> Announcement:
        """The same with something beside it that it may have meant instead."""
        return replace(self, certainty=Certainty.LIKELY)


def announcements(text: str, *, follows_answer: bool = False) -> Iterator[Announcement]:
    """Every announcing sentence of `text`, in order; what opens a quotation is no sentence of the speaker's.

    A sentence that ends in a colon announces clearly; one about all times ("always check my texts") only then. Where
    `text` follows an answer, "translate that" may mean the answer: it announces clearly only what it points to.
    """
    for found in _SENTENCE.finditer(text):
        if found.start() and text.startswith(_OPENING_MARKS, found.start() - 1):
            continue
        sentence = as_spoken(found[0][:_LONGEST_SENTENCE]).strip()
        certainty = _certainty(sentence)
        if certainty is None:
            continue
        if sentence.endswith(":"):
            yield Announcement(found.end(), Certainty.CLEAR, may_point_back=False)
        elif not is_standing_wish(sentence):
            announcement = Announcement(found.end(), certainty, may_point_back=certainty is Certainty.CLEAR)
            means_answer = follows_answer and not points_to_a_text(sentence)
            yield announcement.as_likely() if means_answer else announcement


def _certainty(sentence: str) -> Certainty | None:
    if _CLEAR.search(sentence) or asks_for_text_work(sentence):
        return Certainty.CLEAR
    if asks_for_any_work(sentence):
        return Certainty.CLEAR if _THIS_TEXT.search(sentence) else Certainty.LIKELY
    return Certainty.LIKELY if _LIKELY.search(sentence) else None
