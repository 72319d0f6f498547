"""One spelling for a word's regular forms, so that "likes climbing" meets "I climb".

The folding is for comparing only and knows no language: it takes off regular English endings, the ones that other
European languages share as plurals among them, and only where what is left is long enough to be a stem. What it cannot
tell it leaves alone: two forms that stay apart cost a match, two stems that become one would invent it. Words whose
ending is no ending are listed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SHORTEST_WITH_ENDING = 4
_SHORTEST_STEM = 3
_NO_ENDING = frozenset(
    """
    alas always analysis atlas basis bearing beijing bias boeing browning bus campus canvas ceiling chaos
    christmas corps diabetes embed evening fielding focus gas genius harding herring hundred james jesus
    kindred lens linus lodging manning mars maths morning news paris perhaps physics pudding reading sacred
    series sibling species stocking tennis texas thomas turing united wales wedding whereas
    """.split()  # noqa: SIM905 - a list of words is read as a text
)
_SHORTEST_COMMON_BEGINNING = 4
_LONGEST_LOOSE_ENDING = 2
_PARTICIPLE = re.compile(r"(?P<prefix>\w{0,4}?)ge(?P<stem>\w{3,})(?:t|en)")  # German: "geduzt", "abgelehnt"
_VOWEL = re.compile(r"[aeiouy]")
_SHORT_SYLLABLE = re.compile(r"[^aeiouy]+[aeiouy][^aeiouywx]")
_WANTS_E = re.compile(r".*(?:[vuczs]|ag|at|bl|cl|dl|fl|gl|kl|pl|tl|ir|ur)")
_KEEPS_NO_E = re.compile(r".*(?:[^aeiouy]s|ss|[aeiou]us|(?<!cr)eat|oat|eet)")
_DOUBLED = re.compile(r".*([bdgmnprt])\1")


@dataclass(frozen=True, slots=True)
class Forms:
    """Words without the endings of which they may differ: for meeting in any form, where `stem` is too strict.

    Two words meet if each is one beginning of at least four letters with up to two more; or if one is a German
    participle and the other its stem with up to two more ("geduzt", "duzen").
    """

    beginnings: frozenset[str]
    short_beginnings: frozenset[str]
    participles: frozenset[str]

    @classmethod
    def of(cls, words: frozenset[str]) -> Forms:
        """Take the endings off once, however many comparisons follow."""
        found = (_PARTICIPLE.fullmatch(word) for word in words)
        participles = frozenset(form["prefix"] + form["stem"] for form in found if form)
        beginnings = frozenset(word[: len(word) - at] for word in words for at in range(_LONGEST_LOOSE_ENDING + 1))
        return cls(
            frozenset(beginning for beginning in beginnings if len(beginning) >= _SHORTEST_COMMON_BEGINNING),
            frozenset(beginning for beginning in beginnings if len(beginning) >= _SHORTEST_STEM),
            participles,
        )

    def meet(self, other: Forms) -> bool:
        """Whether a word of these may be a form of one of the others."""
        return not (
            self.beginnings.isdisjoint(other.beginnings)
            and self.participles.isdisjoint(other.short_beginnings)
            and other.participles.isdisjoint(self.short_beginnings)
        )


def stem(word: str) -> str:
    """The spelling shared by a word's regular forms; `word` is folded (lower case, no accents)."""
    if word in _NO_ENDING or len(word) < _SHORTEST_WITH_ENDING or not word.isascii():
        return word
    if word.endswith("s"):
        return _without_s(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and not word.endswith("eed"):
            return _restored(word.removesuffix(ending)) or word
    return word


def _without_s(word: str) -> str:
    if word.endswith(("ss", "us", "is", "ous")):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_WITH_ENDING:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _restored(rest: str) -> str | None:
    """The base form of which `-ing` or `-ed` left `rest`, None when that is too short for a stem."""
    if len(rest) < _SHORTEST_STEM or not _VOWEL.search(rest):
        return None
    if _DOUBLED.fullmatch(rest):
        return rest[:-1]
    if _SHORT_SYLLABLE.fullmatch(rest) or (_WANTS_E.fullmatch(rest) and not _KEEPS_NO_E.fullmatch(rest)):
        return rest + "e"
    if rest.endswith("i"):
        return rest[:-1] + "y"
    return rest
