"""The words under which a text is indexed, and those by which it is looked for."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from context_memory.domain.language.months import ENGLISH, MONTH
from context_memory.domain.language.stop_words import STOP_WORDS_BY_LANGUAGE
from context_memory.domain.language.words import plain
from context_memory.domain.recall import forms, scripts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MOST_WORDS = 48
"""Words of a query that are looked for: of a longer text half of them from its beginning and half from its end."""
_LONGEST = 2000
"""Characters that those words are taken from, at either end."""
_MONTH_IN_CHARACTERS = re.compile(r"(?<!\d)(\d{1,2}) ?[月월]")
_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS = {name: frozenset(plain(words).split()) for name, words in STOP_WORDS_BY_LANGUAGE.items()}
_ENGLISH = _STOP_WORDS["en"]
_OF_OTHERS = frozenset[str]().union(*(words for name, words in _STOP_WORDS.items() if name != "en"))
_ENGLISH_ALONE, _NEVER_ENGLISH = _ENGLISH - _OF_OTHERS, _OF_OTHERS - _ENGLISH


@dataclass(frozen=True, slots=True)
class Indexed:
    """A text as an index keeps it, words parted by blanks: as it is said, its stems, and the parts of long words."""

    said: str
    stems: str
    parts: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, each word once and in its order; `months` are English names."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    parts: tuple[str, ...]
    months: tuple[str, ...]


def indexed(text: str) -> Indexed:
    """The words of a text, for an index."""
    folded = plain(text)
    stems = [] if _is_english(_WORD.findall(folded)) else forms.stems(folded)
    parts = forms.parts(folded)
    said = " ".join((folded, *forms.joined(folded)))
    if not folded.isascii():
        stems += scripts.characters(folded)
        said = scripts.parted(said)
    return Indexed(said, " ".join(stems), " ".join(parts))


def day(at: datetime) -> str:
    """The words of a day: figures, and the month in English."""
    return f"{at.day} {ENGLISH[at.month]} {at.year}"


def asked(text: str) -> Asked:
    """The words of a query without its stop words; where it has no others, these."""
    folded = plain(_ends(text))
    found = words_of(scripts.parted(folded)) + forms.joined(folded)
    stop_words = _stop_words(found)
    words = _few([word for word in found if not _is_stop_word(word, stop_words)] or found)
    loosely = "" if _is_english(found) else " ".join(words)
    stems = _few(forms.stems(loosely) + scripts.characters(folded))
    return Asked(words, stems, _few(forms.parts(loosely)), _months(folded, words))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _LONGEST else f"{text[:_LONGEST]} {text[-_LONGEST:]}"


def _few(words: Sequence[str]) -> tuple[str, ...]:
    """Each once; of too many those in the middle are left out."""
    once = tuple(dict.fromkeys(words))
    return once if len(once) <= MOST_WORDS else once[: MOST_WORDS // 2] + once[-MOST_WORDS // 2 :]


def words_of(text: str) -> list[str]:
    """Runs of letters, marks and figures, in their order."""
    if text.isascii():  # which has no marks
        return _WORD.findall(text)
    return ["".join(run) for is_word, run in groupby(text, key=_is_of_a_word) if is_word]


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() or (not char.isascii() and unicodedata.category(char)[0] == "M")


def _stop_words(found: Sequence[str]) -> frozenset[str]:
    """Those of English, and of the one language that has most of a query's words among them.

    Stop words of all languages would be too many: "war" asks for something in English, and means "was" in German.
    """
    if _is_english(found):
        return _ENGLISH
    return _ENGLISH | max(_STOP_WORDS.values(), key=lambda words: sum(word in words for word in found))


def _is_english(found: Sequence[str]) -> bool:
    """Whether the porter stemmer of the index knows all forms; where a text does not tell, it need not be English."""
    return len(_ENGLISH_ALONE.intersection(found)) > len(_NEVER_ENGLISH.intersection(found))


def _is_stop_word(word: str, stop_words: frozenset[str]) -> bool:
    return word in stop_words or scripts.is_grammar(word)


def _months(folded: str, words: Sequence[str]) -> tuple[str, ...]:
    numbers = [MONTH[word] for word in words if word in MONTH]
    numbers += [int(found) for found in _MONTH_IN_CHARACTERS.findall(folded)]
    return tuple(dict.fromkeys(ENGLISH[number] for number in numbers if number in ENGLISH))
