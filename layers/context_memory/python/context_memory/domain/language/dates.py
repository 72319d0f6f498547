"""Days as people write them: ISO, with figures in any order, with the names of months in several languages."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from context_memory.domain.language.months import MONTH
from context_memory.domain.language.words import digit_groups, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = rf"(?P<name>{'|'.join(sorted(MONTH, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|o|\.)?"
_OF = r"\s*(?:of\s+|de\s+|di\s+|del\s+)?"
_YEAR = r"(?P<year>\d{4})"

# In this order, so that a longer spelling is taken before what is inside it; text is folded by `plain`.
_SPELLINGS = tuple(
    re.compile(rf"(?<![\w]){spelling}(?!\d)")
    for spelling in (
        rf"{_YEAR}[-./](?P<month>\d{{1,2}})[-./](?P<day>\d{{1,2}})",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})",  # with dots the day is always first
        r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d\d)",
        r"(?P<first>\d{1,2})[-/](?P<second>\d{1,2})[-/](?P<year>\d{4})",
        r"(?P<first>\d\d)[-/](?P<second>\d\d)[-/](?P<year>\d\d)",
        rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]\s*(?P<day>\d{{1,2}})\s*[日일号]",
        rf"{_YEAR}\s*[年년]\s*(?P<month>\d{{1,2}})\s*[月월]",
        r"(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일号]",
        rf"{_DAY}{_OF}{_NAME}(?:,|\s|of\b|de\b|del\b)*{_YEAR}",
        rf"{_NAME}\s+{_DAY}(?:,|\s)*{_YEAR}",
        rf"{_NAME}(?:,|\s|of\b|de\b|del\b)*{_YEAR}",
        rf"{_DAY}{_OF}{_NAME}(?![a-z])",
        rf"{_NAME}\s+{_DAY}",
        r"(?P<day>\d\d)\.(?P<month>\d\d)\.",
        r"(?P<year>(?:19|20)\d\d)",
    )
)
_MONTHS = 12
_JUST_PAST = timedelta(days=30)  # a day without year that is gone no longer than this is that day, not next year's


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A day found in a text (of a month or a year its last one), and the digits it is written with."""

    day: date
    digits: frozenset[str]
    whole_year: bool = False


def dates_in(text: str, near: date) -> tuple[WrittenDate, ...]:
    """Every day that `text` names; one that can be read in two ways counts twice.

    Args:
        text: any text.
        near: the day it was written; a day without year is the first one after it, or one just past.
    """
    rest = plain(text)
    found: list[WrittenDate] = []
    for spelling in _SPELLINGS:
        for match in spelling.finditer(rest):
            found.extend(
                WrittenDate(day, digit_groups(match[0]), whole_year=match[0].isdecimal())
                for day in _days(match.groupdict(), near)
            )
        rest = spelling.sub(lambda match: "\0" * len(match[0]), rest)
    return tuple(found)


def latest_day(text: str, near: date) -> date | None:
    """The latest day that `text` names, None when it names none; a bare past year dates nothing ("as in 2019")."""
    return max((found.day for found in dates_in(text, near) if not found.whole_year or found.day >= near), default=None)


def _days(parts: dict[str, str | None], near: date) -> Iterator[date]:
    year = _year(parts.get("year"))
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        orders = {(first, second), (second, first)}
    else:
        name = parts.get("name")
        month = MONTH[name] if name else int(parts.get("month") or _MONTHS)
        orders = {(int(parts.get("day") or 0), month)}
    for day, month in sorted(orders):
        yield from _day(year, month, day, near)


def _year(figures: str | None) -> int | None:
    if figures is None:
        return None
    return int(figures) + (2000 if len(figures) == len("26") else 0)


def _day(year: int | None, month: int, day: int, near: date) -> Iterator[date]:
    """The day if the calendar has it; `day` 0 is the month's last."""
    if not 1 <= month <= _MONTHS:
        return
    years = (year,) if year else (near.year - 1, near.year, near.year + 1)
    for candidate in years:
        last = monthrange(candidate, month)[1] if date.min.year <= candidate <= date.max.year else 0
        if day <= last:
            found = date(candidate, month, day or last)
            if year or found >= near - _JUST_PAST:
                yield found
                return
