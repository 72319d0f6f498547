"""Porter's stemmer for English ("An algorithm for suffix stripping", 1980), as SQLite's tokenizer `porter` has it.

Facts are searched in memory and in SQLite's files; a word must have one stem in both.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_KNOWN_WORDS = 8192
_SHORTEST, _LONGEST = 3, 64
"""Bytes of a word that has endings."""
_SYLLABLE = re.compile("v+c+")
_VOWELS = frozenset("aeiou")

type _Endings = tuple[tuple[str, str], ...]
"""Endings, the longest first, with what stands in their place."""


def _endings(spelled: str) -> _Endings:
    """Of `ending:instead`, parted by blanks."""
    pairs: Iterable[tuple[str, str]] = (
        (ending, instead) for ending, _, instead in (each.partition(":") for each in spelled.split())
    )
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


_DOUBLE_SUFFIXES = _endings("""
    ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ization:ize
    ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble
""")
_SUFFIXES = _endings("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:")
_LAST_SUFFIXES = _endings("ement ment ent al ance ence er ic able ible ant ion ou ism ate iti ous ive ize")


@lru_cache(_KNOWN_WORDS)
def stem(word: str) -> str:
    """A word in lower case without its English endings."""
    if not _SHORTEST <= len(word.encode()) <= _LONGEST:
        return word
    word = _without_participle(_without_plural(word))
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = f"{word[:-1]}i"
    for endings, most in ((_DOUBLE_SUFFIXES, 0), (_SUFFIXES, 0), (_LAST_SUFFIXES, 1)):
        word = _replaced(word, endings, most)
    return _tidy(word)


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_participle(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _syllables(word[:-3]) else word
    for ending in ("ing", "ed"):
        left = word.removesuffix(ending)
        if left != word and "v" in _shape(left):
            return _whole(left)
    return word


def _whole(left: str) -> str:
    """What a participle is the participle of: "hop" of "hopp", "file" of "fil"."""
    if left.endswith(("at", "bl", "iz")):
        return f"{left}e"
    if left[-1:] == left[-2:-1] and _shape(left)[-1] == "c":
        return left if left[-1] in "lsz" else left[:-1]
    return f"{left}e" if _syllables(left) == 1 and _is_short(left) else left


def _replaced(word: str, endings: _Endings, most: int) -> str:
    """With something else for the longest of the endings, where more than `most` syllables stand before it."""
    for ending, instead in endings:
        if word.endswith(ending):
            left = word.removesuffix(ending)
            kept = _syllables(left) <= most or (ending == "ion" and left[-1] not in "st")
            return word if kept else left + instead
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        syllables = _syllables(word[:-1])
        if syllables > 1 or (syllables == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _syllables(word) > 1 else word


def _shape(word: str) -> str:
    """`v` for each vowel, `c` for each consonant; a y is a vowel behind a consonant."""
    shape = ""
    for char in word:
        shape += "v" if char in _VOWELS or (char == "y" and shape.endswith("c")) else "c"
    return shape


def _syllables(word: str) -> int:
    """Vowels with consonants behind them."""
    return len(_SYLLABLE.findall(_shape(word)))


def _is_short(word: str) -> bool:
    """Whether it ends on consonant, vowel, consonant, as "hop" does; w, x and y do not count."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
