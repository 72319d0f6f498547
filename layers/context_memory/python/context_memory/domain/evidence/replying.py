"""Whether a short reply takes up what it was asked: "Yes, please." does; "No." and "Thanks, next one." do not."""

from __future__ import annotations

import re

from context_memory.domain.evidence import reply_phrases
from context_memory.domain.evidence.claims import as_spoken, refuses_to_be_remembered

_IDIOM = re.compile(reply_phrases.AGREEING_IDIOMS)
_REFUSAL = re.compile(reply_phrases.REFUSALS)
_YES_FIRST = re.compile(reply_phrases.YES_FIRST)
_AGREEMENT = re.compile(reply_phrases.AGREEMENTS)
_THANKS = re.compile(reply_phrases.THANKS_OR_MOVING_ON)
_EVERY_QUESTION = re.compile(reply_phrases.EVERY_QUESTION)
_TELLING_WORD = re.compile(r"[^\W_]{4,}")


def takes_up(reply: str, question: str) -> bool:
    """Whether `reply` answers `question` by other than refusing it.

    A reply that says yes first may refuse something behind it ("yes, but not on Mondays"), except being remembered. One
    that thanks or moves on answers only if it agrees as well or takes up a word of the question.
    """
    spoken = _IDIOM.sub("ok", as_spoken(reply)).strip()
    if refuses_to_be_remembered(reply) or (_REFUSAL.search(spoken) and not _YES_FIRST.match(spoken)):
        return False
    if not _THANKS.match(spoken) or _AGREEMENT.search(spoken):
        return True
    asked = set(_TELLING_WORD.findall(as_spoken(question)))
    return not asked.isdisjoint(_TELLING_WORD.findall(spoken))


def means_every_question(reply: str) -> bool:
    """Whether `reply` names several questions at once: "yes to both"."""
    return bool(_EVERY_QUESTION.search(as_spoken(reply)))
