"""Numbers as people spell them, so that "I have coded for twenty-five years" backs "25 years"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.domain.language.han_numbers import han_numbers
from context_memory.domain.language.number_phrases import FUSED_SIZES, LONGEST_PHRASE, NUMBERS, SIZES
from context_memory.domain.language.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HUNDRED = 100
_JOINERS = frozenset({"and", "und", "et", "y", "e", "en"})
_TOKEN = re.compile(r"[^\W\d_]+|[^\s-]")


def spelled_numbers(text: str) -> frozenset[str]:
    """Every number that `text` spells in letters or in Han characters, as digits."""
    folded = plain(text)
    han = (f"{value.normalize():f}" for _, value in han_numbers(folded))
    return frozenset(map(str, _composed(list(_parts(_TOKEN.findall(folded)))))) | frozenset(han)


def _parts(tokens: Sequence[str]) -> Iterator[int | None]:
    """The numbers and sizes in the order of the text, the longest phrase first; None where something else stands.

    A joiner behind a size is no part ("two hundred and fifty").
    """
    at, behind_size = 0, False
    while at < len(tokens):
        if behind_size and tokens[at] in _JOINERS:
            at += 1
            continue
        phrases = ("-".join(tokens[at : at + length]) for length in range(LONGEST_PHRASE, 0, -1))
        phrase = next((phrase for phrase in phrases if phrase in NUMBERS), tokens[at])
        behind_size = phrase in SIZES
        yield _value(phrase)
        at += phrase.count("-") + 1


def _value(phrase: str) -> int | None:
    """The number or size that a word or phrase says."""
    known = NUMBERS.get(phrase, SIZES.get(phrase))
    if known is not None:
        return known
    for size_word, size in FUSED_SIZES:
        count, fused, rest = phrase.partition(size_word)
        if fused:
            before = _value(count) if count else 1
            after = _value(rest.removeprefix("und")) if rest else 0
            return None if before is None or after is None else before * size + after
    return None


def _composed(parts: Sequence[int | None]) -> Iterator[int]:
    """Neighbouring numbers and sizes as the numbers that they make: 2, 100, 50, 1000 is 250000."""
    finished, current = 0, 0
    for part in (*parts, None):
        if part in SIZES.values() and part is not None and (part > _HUNDRED or current < _HUNDRED):
            current = (current or 1) * part
            if part > _HUNDRED:
                finished, current = finished + current, 0
            continue
        # Behind "hundred" and "thousand" a number goes on, elsewhere the next one begins.
        if part and (finished or current) and current % _HUNDRED == 0:
            current += part
            continue
        if finished or current:
            yield finished + current
        if part == 0:
            yield 0
        finished, current = 0, part or 0
