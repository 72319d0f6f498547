# ruff: noqa: RUF001 - full-width punctuation ends sentences
"""Sentences in which somebody says that something has ended or is done.

A word that evidence and bullet share by chance ("rewrite this python function") takes no bullet away; a word said
together with an end does ("I quit smoking"). A sentence that asks says nothing, and a bare "not" ends nothing ("my
function does not work"): it counts only where most of the bullet is denied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from context_memory.domain.language.words import content_words, plain
from context_memory.domain.reconcile import ending_signs

_SENTENCE = re.compile(r"[^.!?;\n。！？；]+(?:[.!](?!\s|$)[^.!?;\n。！？；]+)*[?？]?")
_A_SHORT_REPLY = 12


@dataclass(frozen=True, slots=True)
class Endings:
    """What was said to be over.

    Attributes:
        ended: content words of sentences in which something ended.
        finished: those of sentences in which something is done, as work may be.
        handed_over: those of sentences in which something was sent or paid, which is the end of a follow-up.
        unwanted: those of sentences that tell us to stop, which is the end of a wish for the form of answers.
        denied: those of sentences with a negation.
        just_done: the whole evidence is a short word that something is done ("phoned him, done").
    """

    ended: frozenset[str]
    finished: frozenset[str]
    handed_over: frozenset[str]
    unwanted: frozenset[str]
    denied: frozenset[str]
    just_done: bool

    @classmethod
    def of(cls, text: str) -> Endings:
        """Read the evidence, sentence by sentence."""
        said = [sentence for sentence in _SENTENCE.findall(text) if not sentence.rstrip().endswith(("?", "？"))]
        folded = [(sentence, plain(sentence).replace("\u2019", "'")) for sentence in said]

        def words(sign: re.Pattern[str]) -> frozenset[str]:
            return frozenset[str]().union(*(content_words(sentence) for sentence, text in folded if sign.search(text)))

        return cls(
            ended=words(ending_signs.ENDED),
            finished=words(ending_signs.FINISHED),
            handed_over=words(ending_signs.HANDED_OVER),
            unwanted=words(ending_signs.UNWANTED),
            denied=words(ending_signs.DENIED),
            just_done=len(text.split()) <= _A_SHORT_REPLY
            and any(ending_signs.FINISHED.search(text) for _, text in folded),
        )
