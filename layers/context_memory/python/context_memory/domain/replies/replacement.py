"""Whether a shortened line says nothing that the line did not say."""

from __future__ import annotations

import re
import unicodedata

from context_memory.domain.language import stamps
from context_memory.domain.language.links import hosts
from context_memory.domain.profile import fold

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_DIGITS = re.compile(r"\d+")
_WITH_AT = re.compile(r"[^\s,;:()<>]*@[^\s,;:()<>]*")


def only_shortens(original: str, replacement: str) -> bool:
    """Whether `replacement` is not longer and brings no number, `@`, address or capitalised word of its own.

    Case aside, a word that stood there may be capitalised. The first word of a line may be any, a topic's stamp aside.
    """
    old, new = _one_form(original), _one_form(replacement)
    return (
        len(new) <= len(old)
        and set(_DIGITS.findall(new)) <= set(_DIGITS.findall(old))
        and set(_WITH_AT.findall(new)) <= set(_WITH_AT.findall(old))
        and hosts(new) <= hosts(old)
        and _capitalised(new) <= {word.casefold() for word in _WORD.findall(old)}
    )


def _capitalised(line: str) -> set[str]:
    _, said = stamps.split(line)
    return {word.casefold() for word in _WORD.findall(said)[1:] if word != word.lower()}


def _one_form(line: str) -> str:
    return fold(unicodedata.normalize("NFKC", line))
