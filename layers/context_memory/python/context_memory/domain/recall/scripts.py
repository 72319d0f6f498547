"""Text in scripts without blanks, taken apart so that two characters that stand together are a word of the index.

Chinese and Japanese have words of two characters, which trigrams would not find; so pairs are the words, and single
Chinese characters are looser forms of them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from context_memory.domain.language.stop_words import STOP_CHARACTERS, STOP_PAIRS
from context_memory.domain.language.words import WITHOUT_BLANKS


def _characters(script: str) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for name, first, last in WITHOUT_BLANKS if name == script)


_SCRIPTS = tuple(dict.fromkeys(name for name, _, _ in WITHOUT_BLANKS))
_RUN = re.compile("|".join(f"(?P<{script}>[{_characters(script)}]+)" for script in _SCRIPTS))
_HAN = re.compile(f"[{_characters('han')}]")


def parted(folded: str) -> str:
    """`folded` with blanks around each pair of neighbouring characters of one script; a single character is itself."""
    return _RUN.sub(lambda run: f" {' '.join(_pairs(run[0]))} ", folded)


def characters(folded: str) -> list[str]:
    """The Chinese characters of a text that mean something by themselves."""
    return [char for char in _HAN.findall(folded) if char not in STOP_CHARACTERS]


def is_grammar(word: str) -> bool:
    """Whether a word that `parted` made is an ending, or made of characters that mean nothing by themselves."""
    return word in STOP_PAIRS or STOP_CHARACTERS.issuperset(word)


def _pairs(run: str) -> list[str]:
    return ["".join(pair) for pair in pairwise(run)] or [run]
