"""What numbers and times of day amount to, however they are written: "3pm" is 15:00, "75k" is 75'000."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from context_memory.domain.language.han_numbers import han_numbers
from context_memory.domain.language.number_phrases import SIZES
from context_memory.domain.language.number_words import spelled_numbers
from context_memory.domain.language.words import digit_groups, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOON = 12
_IN_TWELVE_HOURS = re.compile(
    r"(?<![\d:.])(?P<hour>1[0-2]|0?[1-9])(?:[:.h](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b"
    r"|(?P<before>上午|下午|晚上|午前|午後|오전|오후)\s?(?P<of_half>1[0-2]|0?[1-9])\s?[点點時时시](?:(?P<past>[0-5]\d)[分분])?"
)
_IN_TWENTY_FOUR_HOURS = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-3])"
    r"(?:[:h](?P<minute>[0-5]\d)(?!\d|:\d)|[.](?P<dotted>[0-5]\d)\s?(?:uhr|h)\b|\s?(?:uhr\b|h\b|heures\b|[点點時时시]))"
)
_SHORT_SIZES = {"k": 1000, "tsd": 1000, "m": 10**6, "mn": 10**6, "mio": 10**6, "bn": 10**9, "mrd": 10**9}
_SIZES = SIZES | _SHORT_SIZES
_SIZE = "|".join(sorted(_SIZES, key=len, reverse=True))
_WITH_SIZE = re.compile(rf"(?<![\d.,'])(?P<number>\d{{1,12}}(?:[.,'\u2019]\d{{1,6}})*)\s?(?P<size>{_SIZE})(?![^\W\d_])")
_HALF = re.compile(rf"(?:half(?: an?)?|halbe[nr]?|demi[ -]|medio|mezzo|meio)\s?(?P<size>{_SIZE})(?![^\W\d_])")
_IN_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'\u2019]\d{3})+")


@dataclass(frozen=True, slots=True)
class WrittenQuantity:
    """A time ("15:00") or an amount ("75000") found in a text, and the groups of digits it is written with."""

    value: str
    digits: frozenset[str]


def quantities_in(text: str) -> tuple[WrittenQuantity, ...]:
    """Every time of day and every amount that `text` writes in another way than in plain digits."""
    folded = plain(text)
    return tuple(
        WrittenQuantity(value, digit_groups(written)) for written, value in (*_times(folded), *_amounts(folded))
    )


def values_said(text: str) -> frozenset[str]:
    """All that `text` says in numbers: groups of digits, times, amounts, and what it spells in letters."""
    spelled = spelled_numbers(_HALF.sub(" ", plain(text)))
    return digit_groups(text) | spelled | {found.value for found in quantities_in(text)}


def _times(folded: str) -> Iterator[tuple[str, str]]:
    for match in _IN_TWELVE_HOURS.finditer(folded):
        late = match["half"] == "p" or (match["before"] or "") in {"下午", "晚上", "午後", "오후"}
        hour = int(match["hour"] or match["of_half"]) % _NOON + (_NOON if late else 0)
        yield match[0], f"{hour:02}:{match['minute'] or match['past'] or '00'}"
    for match in _IN_TWENTY_FOUR_HOURS.finditer(_IN_TWELVE_HOURS.sub(" ", folded)):
        yield match[0], f"{int(match['hour']):02}:{match['minute'] or match['dotted'] or '00'}"


def _amounts(folded: str) -> Iterator[tuple[str, str]]:
    for match in _WITH_SIZE.finditer(folded):
        number = match["number"]
        separators = r"[.,'\u2019]"
        figures = re.sub(separators, "" if _IN_THOUSANDS.fullmatch(number) else ".", number)
        if figures.count(".") <= 1:
            yield match[0], _written_out(Decimal(figures) * _SIZES[match["size"]])
    for match in _HALF.finditer(folded):
        yield match[0], _written_out(Decimal(_SIZES[match["size"]]) / 2)
    yield from ((written, _written_out(value)) for written, value in han_numbers(folded))


def _written_out(value: Decimal) -> str:
    return f"{value.normalize():f}"
