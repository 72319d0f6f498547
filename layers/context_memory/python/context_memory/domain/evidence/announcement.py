"""Where a text hands over another text: "Please summarise the article below.", "Translate this:"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from context_memory.domain.evidence import announcement_phrases as phrases
from context_memory.domain.evidence.claims import as_spoken

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
_QUESTION_MARKS = ("?", "\u061f")


class Certainty(IntEnum):
    """How sure it is that a text follows."""

    LIKELY = 1
    CLEAR = 2


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


def announcements(text: str) -> Iterator[Announcement]:
    """Every announcing sentence of `text`, in order; what opens a quotation is no sentence of the speaker's."""
    for found in _SENTENCE.finditer(text):
        if text.startswith(_OPENING_MARKS, found.start() - 1 if found.start() else len(text)):
            continue
        sentence = as_spoken(found[0][:_LONGEST_SENTENCE]).strip()
        if not _HINT.search(sentence):
            continue
        certainty = _certainty(sentence)
        if certainty is not None:
            ends_in_colon = sentence.endswith(":")
            yield Announcement(
                found.end(),
                Certainty.CLEAR if ends_in_colon else certainty,
                may_point_back=certainty is Certainty.CLEAR and not ends_in_colon,
            )


@dataclass(frozen=True, slots=True)
class _Requests:
    """The patterns of one kind of work in one language."""

    certainty: Certainty
    asks: re.Pattern[str]
    asks_in_questions: re.Pattern[str]
    stands_alone: re.Pattern[str] | None
    please: re.Pattern[str]
    target: re.Pattern[str]

    def matches(self, sentence: str) -> bool:
        """Whether `sentence` asks for this work on a text that stands beside it."""
        is_request = self.asks.search(sentence) or (
            (sentence.endswith(_QUESTION_MARKS) or self.please.search(sentence))
            and self.asks_in_questions.search(sentence)
        )
        if not is_request:
            return False
        return bool(self.target.search(sentence) or (self.stands_alone and self.stands_alone.search(sentence)))


def _requests(asking: phrases.Asking, certainty: Certainty) -> _Requests:
    if certainty is Certainty.CLEAR:
        verbs, in_questions = asking.text_work, asking.text_work_in_questions
        alone = re.compile(rf"\b(?:{verbs}|{in_questions})(?: (?:{asking.into})\b.*| (?:{asking.please}))?[ :.!,?]*$")
    else:
        verbs, in_questions, alone = asking.any_work, asking.any_work_in_questions, None
    return _Requests(
        certainty=certainty,
        asks=re.compile(rf"(?:^|[,;(\u2013\u2014-] ?|\b(?:{asking.please}),? )(?:{verbs})\b"),
        asks_in_questions=re.compile(rf"\b(?:{in_questions})\b"),
        stands_alone=alone,
        please=re.compile(rf"\b(?:{asking.please})\b"),
        target=re.compile(rf"{asking.here}|{asking.named}"),
    )


# The surer kind first: the first that matches decides.
_REQUESTS = tuple(
    _requests(asking, certainty) for certainty in sorted(Certainty, reverse=True) for asking in phrases.LANGUAGES
)
_CLEAR = re.compile("|".join(phrases.CLEAR.values()))
_LIKELY = re.compile("|".join(phrases.LIKELY.values()))
_REPORT = re.compile(phrases.REPORTS)
_HINT = re.compile(
    "|".join(
        [
            *(
                rf"\b(?:{verbs})"
                for asking in phrases.LANGUAGES
                for verbs in (
                    asking.text_work,
                    asking.any_work,
                    asking.text_work_in_questions,
                    asking.any_work_in_questions,
                )
            ),
            _CLEAR.pattern,
            _LIKELY.pattern,
            _REPORT.pattern,
        ]
    )
)


def _certainty(sentence: str) -> Certainty | None:
    if _CLEAR.search(sentence):
        return Certainty.CLEAR
    for requests in _REQUESTS:
        if requests.matches(sentence):
            return requests.certainty
    return Certainty.LIKELY if _LIKELY.search(sentence) or _REPORT.search(sentence) else None
