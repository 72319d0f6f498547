"""What a bullet says whatever its wording, for hashing what was forgotten: a hash finds only what is spelled alike.

Two wordings of one statement should meet, and a statement must not meet its opposite: who asks to forget "Has no
children." has not forbidden "Has children." So all negations are one sign, however many there are, and a preposition
that has an opposite is part of the gist though it is no content word. The order of words plays no part.
"""

from __future__ import annotations

import re

from context_memory.domain.language import stop_words
from context_memory.domain.language.inflection import stem
from context_memory.domain.language.words import content_words, digit_groups, plain

_NEGATED = "not"
_WORD = re.compile(r"[^\W\d_]+")
_SHORTENED_NOT = re.compile(r"n['\u2019]t\b")


def gist(text: str) -> str:
    """The content words, negation, contrasts and numbers of `text`, sorted; a text without any is its folded self."""
    said = sorted(content_words(text) - _NEGATIONS) + sorted(digit_groups(text))
    return " ".join(turned_round(text) + said) if said else plain(text)


def turned_round(text: str) -> list[str]:
    """What turns a statement round: the contrasts of a text, and one sign if it holds a negation."""
    folded = plain(text)
    spoken = frozenset(_WORD.findall(folded))
    negated = (
        not spoken.isdisjoint(_NEGATIONS)
        or not stop_words.NEGATING_CHARACTERS.isdisjoint(folded)
        or _SHORTENED_NOT.search(folded)
    )
    return sorted(spoken & stop_words.CONTRASTS) + [_NEGATED] * bool(negated)


_NEGATIONS = frozenset(form for word in map(plain, stop_words.NEGATIONS) for form in (word, stem(word)))
