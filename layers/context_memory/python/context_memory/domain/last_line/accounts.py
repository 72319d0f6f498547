"""IBANs and payment cards: recognised by structure, known beginnings and check digits, all of them together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stdnum import iban, luhn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Between two figures of one number: a blank, a hyphen or a dot, or the end of a line with the next one's indentation.
_GAP = r"(?:[ \t]?(?:[-.][ \t]?)?|[ \t]*\n[ \t>]*)"
_IBAN = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z]{{2}}{_GAP}\d{_GAP}\d(?:{_GAP}[A-Za-z0-9]){{11,30}}")
_SHORTEST_IBAN, _LONGEST_IBAN = 15, 34

_FIGURES = re.compile(
    r"(?<![A-Za-z0-9_+])(?<!\d[.,:])\d+(?:(?: ?[-. ] ?|[ \t]*\n[ \t>]*)\d+)*(?![A-Za-z0-9_])(?![.,:]\d)"
)
_FIGURE = re.compile(r"\d+")

# First digits (as a range of numbers of one length) and lengths that the schemes have published.
_SCHEMES = (
    (4, 4, (13, 16, 19)),
    (51, 55, (16,)),
    (2221, 2720, (16,)),
    (34, 34, (15,)),
    (37, 37, (15,)),
    (300, 305, (14,)),
    (36, 36, (14,)),
    (38, 39, (14,)),
    (3528, 3589, (16,)),
    (6011, 6011, (16, 19)),
    (644, 659, (16, 19)),
    (62, 62, (16, 17, 18, 19)),
    (2200, 2204, (16,)),
    (5018, 5018, (16,)),
    (5020, 5020, (16,)),
    (5038, 5038, (16,)),
    (5893, 5893, (16,)),
    (6304, 6304, (16, 17, 18, 19)),
    (6759, 6759, (16, 17, 18, 19)),
    (6761, 6763, (16, 17, 18, 19)),
)
_PRINTED_GROUPS = ((4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 1))
_MOST_GROUPS = 19
_OTHER_GROUPS = 2  # figures beside a card number, such as its expiry date; among more it is one of a list


def ibans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of IBANs whose length is their country's and whose check digits agree, in any case and grouping."""
    for match in _IBAN.finditer(text):
        places = [place for place in range(*match.span()) if text[place].isalnum()]
        for length in range(min(len(places), _LONGEST_IBAN), _SHORTEST_IBAN - 1, -1):
            end = places[length - 1] + 1
            number = "".join(text[place] for place in places[:length])
            cut_inside_a_word = end < len(text) and text[end].isalnum()
            if not cut_inside_a_word and iban.is_valid(number.upper(), check_country=False):
                yield match.start(), end
                break


def cards(text: str) -> Iterator[tuple[int, int]]:
    """Spans of card numbers: a scheme's first digits and length, Luhn, in one piece or grouped as on a card.

    What is part of a longer number, follows a plus sign, a letter or a decimal point is none.
    """
    for match in _FIGURES.finditer(text):
        groups = [(match.start() + at.start(), match.start() + at.end()) for at in _FIGURE.finditer(match[0])]
        yield from _cards_among(text, groups)


def _cards_among(text: str, groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    if len(groups) > _MOST_GROUPS + _OTHER_GROUPS:
        return
    first = 0
    while first < len(groups):
        window = next(
            (
                last
                for last in range(len(groups), first, -1)
                if len(groups) - (last - first) <= _OTHER_GROUPS and _is_card(text, groups[first:last])
            ),
            None,
        )
        if window is None:
            first += 1
        else:
            yield groups[first][0], groups[window - 1][1]
            first = window


def _is_card(text: str, groups: Sequence[tuple[int, int]]) -> bool:
    number = "".join(text[start:end] for start, end in groups)
    return _is_grouped_like_a_card([end - start for start, end in groups]) and _is_of_a_scheme(number)


def _is_grouped_like_a_card(lengths: Sequence[int]) -> bool:
    even = len(set(lengths[:-1])) <= 1 and lengths[-1] <= lengths[0]
    return even or tuple(lengths) in _PRINTED_GROUPS


def _is_of_a_scheme(number: str) -> bool:
    known = any(
        len(number) in lengths and low <= int(number[: len(str(low))]) <= high for low, high, lengths in _SCHEMES
    )
    return known and len(set(number)) > 1 and luhn.is_valid(number)
