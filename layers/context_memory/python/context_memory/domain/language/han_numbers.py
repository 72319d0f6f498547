"""Numbers in Chinese and Japanese characters, alone or mixed with figures: 十五, 三百, 2万5千, 二〇二六."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGIT = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_WITHIN_TEN_THOUSAND = {"十": 10, "百": 100, "千": 1000, "천": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "만": 10**4, "亿": 10**8, "億": 10**8, "억": 10**8}
_HAN_DIGITS = "".join(_DIGIT)
_FIGURES = r"\d{1,12}(?:\.\d{1,6})?"
_NUMBER = re.compile(
    rf"(?:{_FIGURES}(?=[{''.join((*_WITHIN_TEN_THOUSAND, *_MYRIADS))}])|[十{_HAN_DIGITS}])"
    rf"(?:{_FIGURES}|[{''.join((*_DIGIT, *_WITHIN_TEN_THOUSAND, *_MYRIADS))}])*"
)
_PART = re.compile(rf"{_FIGURES}|.")


def han_numbers(folded: str) -> Iterator[tuple[str, Decimal]]:
    """Each number as it is written, with its value; digits in a row ("三四个") count one by one as well.

    Args:
        folded: text that went through `words.plain`.
    """
    for match in _NUMBER.finditer(folded):
        written = match[0]
        if all(char in _DIGIT for char in written):
            yield written, Decimal("".join(str(_DIGIT[char]) for char in written))
            yield from ((char, Decimal(_DIGIT[char])) for char in written)
        else:
            yield written, _composed(_PART.findall(written))


def _composed(parts: list[str]) -> Decimal:
    """Digits times their units, summed: 二十五 is 2 times 10 plus 5."""
    whole, section, digit = Decimal(0), Decimal(0), Decimal(0)
    for part in parts:
        if part in _MYRIADS:
            whole += (section + digit) * _MYRIADS[part]
            section = digit = Decimal(0)
        elif part in _WITHIN_TEN_THOUSAND:
            section += (digit or 1) * _WITHIN_TEN_THOUSAND[part]
            digit = Decimal(0)
        else:
            digit = Decimal(_DIGIT.get(part, part))
    return whole + section + digit
