"""Content words and groups of digits: all that the rules know of what a text says, in any script."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, pairwise

from context_memory.domain.language import stop_words
from context_memory.domain.language.abbreviations import in_capitals, spelled_out
from context_memory.domain.language.inflection import stem

# Scripts that write no blanks between words, by code points (first and last).
WITHOUT_BLANKS = (
    ("thai", 0x0E00, 0x0E7F),
    ("lao", 0x0E80, 0x0EFF),
    ("tibetan", 0x0F00, 0x0FFF),
    ("myanmar", 0x1000, 0x109F),
    ("hangul", 0x1100, 0x11FF),
    ("khmer", 0x1780, 0x17FF),
    ("han", 0x3005, 0x3007),
    ("hiragana", 0x3041, 0x309F),
    ("katakana", 0x30A1, 0x30FA),
    ("katakana", 0x30FC, 0x30FF),
    ("hangul", 0x3130, 0x318F),
    ("katakana", 0x31F0, 0x31FF),
    ("han", 0x3400, 0x9FFF),
    ("hangul", 0xAC00, 0xD7A3),
    ("han", 0xF900, 0xFAFF),
    ("han", 0x20000, 0x323AF),
)
_LATIN_MARKS = re.compile("[\u0300-\u036f]")
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)['\u2019](?=\w)|(?<=\w)['\u2019](?:s|t|d|m|ll|ve|re)\b")
_LETTERS_OR_DIGITS = re.compile(r"\d+|\D+")
_THOUSANDS = re.compile(r"(?<![\d.,'\u2019])\d{1,3}(?:([,.'\u2019\u00a0\u202f])\d{3})(?:\1\d{3})*(?!\d|[.,'\u2019]\d)")
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})


def plain(text: str) -> str:
    """`text` in one spelling: compatibility forms, case, accents and digits folded, invisible characters gone.

    Only marks that Latin, Greek and Cyrillic carry are taken off; in other scripts marks are letters.
    """
    if text.isascii():  # nothing but case to fold, and by far the most common
        return text.casefold()
    compatible = unicodedata.normalize("NFKC", text).casefold()
    bare = _LATIN_MARKS.sub("", unicodedata.normalize("NFD", compatible))
    folded = unicodedata.normalize("NFKC", bare)
    if folded.isprintable() and not _FOREIGN_DIGIT.search(folded):  # no invisible characters: most texts
        return folded
    return "".join(_plain_character(char) for char in folded)


def _plain_character(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    return "" if unicodedata.category(char) == "Cf" else char


def script_without_blanks(char: str) -> str | None:
    """Name of the script of `char` if it writes no blanks between words, else None."""
    point = ord(char)
    if point < WITHOUT_BLANKS[0][1]:
        return None
    return next((name for name, first, last in WITHOUT_BLANKS if first <= point <= last), None)


def content_words(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning, each in one spelling.

    Names of countries in one form ("US"), folded by `plain`, without stop words unless in capitals ("IT"), regular
    endings taken off (`inflection.stem`). Numbers are no content words (see `digit_groups`); letters and digits of one
    token are parted ("Python3"), unless a single letter would be left over ("k8s", "B2B"). Runs of scripts without
    blanks count as pairs of neighbouring characters; a run of one character is itself.
    """
    text = spelled_out(text)
    found = {stem(word) for word in in_capitals(text) & _STOP_WORDS}
    for script, run in _runs(_ELISION.sub(" ", plain(text))):
        found |= _pairs(run) if script else _words(run)
    return frozenset(found)


def without_faint(words: frozenset[str]) -> frozenset[str]:
    """Those content words that are evidence: the faint ones ("works", "prefers", "not") are left out."""
    return words - _FAINT_WORDS


def beyond_request(words: frozenset[str]) -> frozenset[str]:
    """Those content words that say what to remember or forget, without those that ask for it."""
    return words - _REQUEST_WORDS


def digit_groups(text: str) -> frozenset[str]:
    """Every number of `text` as its digits, without leading zeros and without separators of thousands."""
    joined = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found[0]), plain(text))
    return frozenset(group.lstrip("0") or "0" for group in re.findall(r"\d+", joined))


def word_set(text: str) -> frozenset[str]:
    """Every word of `text`, stop words and numbers too: for finding the closest of several."""
    return frozenset(run for _, run in _runs(plain(text)))


def _runs(text: str) -> list[tuple[str | None, str]]:
    """Runs of letters, marks and digits, each with its script if that writes no blanks."""
    return [(kind or None, "".join(run)) for kind, run in groupby(text, key=_kind_of_character) if kind is not None]


def _kind_of_character(char: str) -> str | None:
    """The script without blanks, "" for any other letter, mark or digit, None for what parts words."""
    if char.isascii():
        return "" if char.isalnum() else None
    if char in stop_words.STOP_CHARACTERS or unicodedata.category(char)[0] not in "LMN":
        return None
    return script_without_blanks(char) or ""


def _pairs(run: str) -> set[str]:
    if len(run) == 1:
        return set() if script_without_blanks(run) == "hiragana" else {run}
    return {pair for pair in map("".join, pairwise(run)) if pair not in stop_words.STOP_PAIRS}


def _words(run: str) -> set[str]:
    parts = _LETTERS_OR_DIGITS.findall(run)
    if len(parts) > 1 and any(len(part) == 1 and part.isalpha() for part in parts):
        return {run}
    words = {part for part in parts if not part[0].isdecimal() and part not in _STOP_WORDS}
    return {stem(word) for word in words if len(parts) == 1 or word not in _ORDINAL_ENDINGS}


_STOP_WORDS = frozenset(map(plain, stop_words.STOP_WORDS))
_FAINT_WORDS = frozenset(stem(plain(word)) for word in stop_words.FAINT_WORDS)
_REQUEST_WORDS = frozenset(stem(plain(word)) for word in stop_words.REQUEST_WORDS)
