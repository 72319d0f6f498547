"""Whether words claim what stands beside them: "this is my CV", "please remember the following"."""

from __future__ import annotations

import re

from context_memory.domain.evidence import claim_phrases
from context_memory.domain.language.invisible import as_seen

_CLAIM = re.compile("|".join([*claim_phrases.REQUESTS.values(), *claim_phrases.PRESENTATIONS.values()]), re.MULTILINE)
_REFUSAL = re.compile("|".join(claim_phrases.REFUSALS.values()))
_POLITE_REQUEST = re.compile(
    r"\b(?:can|could|will|would) you (?:please |also |just )*(?:remember|memori[sz]e|keep|save|store)\b"
)
_SENTENCE = re.compile(r"[^.!?\u3002\u061f]+[.!?\u3002\u061f]?")
_QUESTION_MARKS = ("?", "\u061f")
_EMPHASIS = re.compile("[*_]+")
_BLANKS = re.compile(r"[^\S\n]+")


def claims(words: str) -> bool:
    """Whether the user's own `words` make the text beside them theirs.

    One refusal ("don't remember this", "this is not my CV") outweighs every claim.
    A question claims nothing unless it is a polite request.
    """
    spoken = as_spoken(words)
    if _REFUSAL.search(spoken):
        return False
    return any(_claims(found[0].strip()) for found in _SENTENCE.finditer(spoken))


def refuses_to_be_remembered(words: str) -> bool:
    """Whether `words` ask not to remember or to keep something, or call it somebody else's."""
    return bool(_REFUSAL.search(as_spoken(words)))


def _claims(sentence: str) -> bool:
    if sentence.endswith(_QUESTION_MARKS):
        return bool(_POLITE_REQUEST.search(sentence) and _CLAIM.search(sentence[:-1]))
    return bool(_CLAIM.search(sentence))


def as_spoken(words: str) -> str:
    """Lower case, straight apostrophes, single blanks, no emphasis; line ends stay."""
    seen = as_seen(words).casefold().replace("\u2019", "'")
    return _BLANKS.sub(" ", _EMPHASIS.sub("", seen))
