"""Whether a sentence asks for work on a text that stands beside it: "could you proofread the following?"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from context_memory.domain.evidence.announcement_phrases import JA_HERE, LANGUAGES, ZH_HERE, Asking

_QUESTION_MARKS = ("?", "\u061f")
_PROVISOS = "but|without|aber|ohne|mais|sans|pero|sin|ma|senza|mas|sem|maar|zonder"


def asks_for_text_work(sentence: str) -> bool:
    """Whether `sentence` asks for what can only be done to a text; it may leave unsaid to which ("translate:").

    `sentence` is as `claims.as_spoken` gives it.
    """
    return any(request.matches(sentence) for request in _requests(only_for_texts=True))


def asks_for_any_work(sentence: str) -> bool:
    """Whether `sentence` asks for what can be done to many things, and points to a text."""
    return any(request.matches(sentence) for request in _requests(only_for_texts=False))


def points_to_a_text(sentence: str) -> bool:
    """Whether `sentence` says what is worked on by more than a "that", which may be what was said last."""
    return bool(_pointer().search(sentence))


@dataclass(frozen=True, slots=True)
class _Request:
    """The patterns of one kind of work in one language."""

    asks: re.Pattern[str]
    asks_in_questions: re.Pattern[str]
    please: re.Pattern[str]
    target: re.Pattern[str]
    needs_no_target: re.Pattern[str] | None

    def matches(self, sentence: str) -> bool:
        is_question = sentence.endswith(_QUESTION_MARKS) or self.please.search(sentence)
        if not (self.asks.search(sentence) or (is_question and self.asks_in_questions.search(sentence))):
            return False
        return bool(self.target.search(sentence) or (self.needs_no_target and self.needs_no_target.search(sentence)))


@cache  # compiled by the first sentence that is read: starting a function must not wait for it
def _requests(*, only_for_texts: bool) -> tuple[_Request, ...]:
    return tuple(_text_work(asking) if only_for_texts else _any_work(asking) for asking in LANGUAGES)


@cache
def _pointer() -> re.Pattern[str]:
    return re.compile(
        "|".join([ZH_HERE, JA_HERE, r"\bthis\b", *(f"{asking.here}|{asking.named}" for asking in LANGUAGES)])
    )


def _text_work(asking: Asking) -> _Request:
    verbs = f"{asking.text_work}|{asking.text_work_in_questions}"
    alone = re.compile(
        rf"\b(?:{verbs})(?: (?:{asking.into})\b.*| (?:{asking.please}))?[ :.!,?]*$"
        rf"|^(?:(?:{asking.please}),? )?(?:{verbs}),? (?:{_PROVISOS})\b"
    )
    return _request(asking, asking.text_work, asking.text_work_in_questions, alone)


def _any_work(asking: Asking) -> _Request:
    return _request(asking, asking.any_work, asking.any_work_in_questions, None)


def _request(asking: Asking, verbs: str, verbs_in_questions: str, alone: re.Pattern[str] | None) -> _Request:
    return _Request(
        asks=re.compile(rf"(?:^|[,;(\u2013\u2014-] ?|\b(?:{asking.please}),? )(?:{verbs})\b"),
        asks_in_questions=re.compile(rf"\b(?:{verbs_in_questions})\b"),
        please=re.compile(rf"\b(?:{asking.please})\b"),
        target=re.compile("|".join(filter(None, (asking.here, asking.back, asking.named)))),
        needs_no_target=alone,
    )
