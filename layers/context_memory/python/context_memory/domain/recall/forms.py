# ruff: noqa: RUF001 - Cyrillic endings are spelled with Cyrillic letters
"""Looser spellings of a word, by which its other forms and the compounds it stands in are found too.

SQLite's porter stemmer knows English. This knows no language: it takes off endings that European languages share, and
parts long words ("Krankenversicherung" has "Versicherung" at its end). It finds too much, so what it finds counts
little.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]{4,40}")
_LONG_WORD = re.compile(r"[^\W\d_]{10,40}")
_HYPHENATED = re.compile(r"[^\W_]+(?:-[^\W_]+)+")
_UMLAUT = re.compile(r"([aou])e(?![aeiou])")  # "Mueller" is "Müller", which folding makes "muller"
_SHORTEST = 4
"""Letters that an ending leaves of a word."""
_SHORTEST_PART = 5
_KNOWN_WORDS = 8192

_LATIN = """
    e n s t a o i r es en er et em st te ten ter tes est ern ens in os as is ar ir or on an ez ai it at us
    ent ons ant ais ait are ere ire ato ata ati ate ado ada ido ida ito ita iti ano ono aba amo emo imo
    ando endo ados adas idos idas amos emos imos aron eron ieron iamo arono iendo aient eront antes mente
    na ne ny ow om ach ami iem ego emu ych ymi arna orna erna ing ings ed
"""
_CYRILLIC = """
    а я о е и ы у ю ь ой ей ом ем ам ям ах ях ов ев ий ый ая яя ое ее ые ие ую юю ами ями ого его ому ему
    ыми ими ить ать ять еть ует уют ает ают ишь ешь ла ло ли ал ил
"""
_ENDINGS = frozenset(_LATIN.split()) | frozenset(_CYRILLIC.split())
_LENGTHS = tuple(sorted({len(ending) for ending in _ENDINGS}, reverse=True))


@lru_cache(_KNOWN_WORDS)
def stem(word: str) -> str:
    """A folded word without its longest ending, of which at least four letters are left."""
    word = _UMLAUT.sub(r"\1", word)
    for length in _LENGTHS:
        if len(word) - length >= _SHORTEST and word[-length:] in _ENDINGS:
            return word[:-length]
    return word


def stems(folded: str) -> list[str]:
    """The stems of all words of a folded text that have four letters or more."""
    return list(map(stem, _WORD.findall(folded)))


def joined(folded: str) -> list[str]:
    """What is hyphenated, as one word: "e-mail" is "email"."""
    return [word.replace("-", "") for word in _HYPHENATED.findall(folded)] if "-" in folded else []


def parts(folded: str) -> list[str]:
    """The parts of all long words of a folded text."""
    return [part for word in _LONG_WORD.findall(folded) for part in _parts(stem(word))]


@lru_cache(_KNOWN_WORDS)
def _parts(stemmed: str) -> tuple[str, ...]:
    """Every beginning and every end of a long word that may be a word itself, as stems."""
    cuts = range(_SHORTEST_PART, len(stemmed) - _SHORTEST_PART + 1)
    return (*dict.fromkeys(stem(part) for cut in cuts for part in (stemmed[:cut], stemmed[cut:])),)
