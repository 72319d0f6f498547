"""Dates said in words ("tomorrow", "nächsten Freitag", "下周五") become ISO dates of the turn's own time and zone."""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    type _DayOf = Callable[[re.Match[str], date], date | None]

_DAYS_EN = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_DE = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_DAYS = {name: day for names in (_DAYS_EN, _DAYS_DE) for day, name in enumerate(names)}
_HAN_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january januar", "february februar", "march märz", "april", "may mai", "june juni", "july juli",
            "august", "september", "october oktober", "november", "december dezember",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NUMBERS = {
    name: number
    for number, names in enumerate(
        (
            "a an one ein einem einer 1 一", "two zwei 2 两", "three drei 3 三", "four vier 4 四", "five fünf 5 五",
            "six sechs 6 六", "seven sieben 7 七", "eight acht 8 八", "nine neun 9 九", "ten zehn 10 十",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_DAY_EN, _DAY_DE = "|".join(_DAYS_EN), "|".join(_DAYS_DE)
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBER = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_EN = r"(?P<lead>on |by |until |before |for |from |after |since |to |is |of )?"
_DE = r"(?P<lead>am |bis |bis zum |vor |für |ab )?"


def _one_of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _in_units(found: re.Match[str], today: date) -> date:
    count, unit = _NUMBERS[found["count"].lower()], found["unit"].lower()
    if unit.startswith(("w", "周", "个星期")):
        return today + timedelta(weeks=count)
    if not unit.startswith(("m", "个月")):
        return today + timedelta(days=count)
    year, month = divmod(today.year * 12 + today.month - 1 + count, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _coming(found: re.Match[str], today: date) -> date:
    """The first such weekday after today."""
    return today + timedelta(days=(_DAYS[found["day"].lower()] - today.weekday() - 1) % 7 + 1)


def _next_week(weekday: int, today: date) -> date:
    return today + timedelta(days=7 - today.weekday() + weekday)


def _of_next_week(found: re.Match[str], today: date) -> date:
    return _next_week(_DAYS[found["day"].lower()], today)


def _named(found: re.Match[str], today: date) -> date | None:
    """A day and a month, without a year the next one that is not over; None when no calendar has that day."""
    day, month = int(found["number"]), _MONTHS[found["month"].lower()]
    years = [int(found["year"])] if found["year"] else [today.year, today.year + 1]
    days = [date(year, month, day) for year in years if 0 < day <= monthrange(year, month)[1]]
    return next((when for when in days if when >= today), days[0] if days else None)


_RULES: tuple[tuple[re.Pattern[str], _DayOf], ...] = (
    (_one_of(rf"{_EN}(?:the )?\bday after tomorrow\b"), lambda _, today: today + timedelta(days=2)),
    (_one_of(rf"{_DE}\bübermorgen\b"), lambda _, today: today + timedelta(days=2)),
    (_one_of(r"(?P<lead>)后天"), lambda _, today: today + timedelta(days=2)),
    (_one_of(rf"{_EN}\btomorrow\b(?: (?:morning|evening|afternoon))?"), lambda _, today: today + timedelta(days=1)),
    (
        _one_of(r"(?P<lead>bis |vor |für |ab )?(?<!guten )(?<!am )(?<!jeden )\bmorgen\b(?: (?:früh|abend|nachmittag|vormittag))?"),
        lambda _, today: today + timedelta(days=1),
    ),
    (_one_of(r"(?P<lead>)明天"), lambda _, today: today + timedelta(days=1)),
    (_one_of(rf"{_EN}\b(?:today|tonight)\b"), lambda _, today: today),
    (_one_of(rf"{_DE}\bheute(?: abend)?\b"), lambda _, today: today),
    (_one_of(r"(?P<lead>)今天"), lambda _, today: today),
    (_one_of(rf"(?P<lead>)\bin (?P<count>{_NUMBER}) (?P<unit>days?|weeks?|months?|tag\w*|woche\w*|monat\w*)\b"), _in_units),
    (_one_of(rf"(?P<lead>)(?P<count>{_NUMBER})(?P<unit>天|周|个星期|个月)(?:之?后)"), _in_units),
    (_one_of(rf"{_EN}\bnext (?P<day>{_DAY_EN})\b"), _of_next_week),
    (_one_of(rf"{_DE}\bnächste[nr]? (?P<day>{_DAY_DE})\b"), _of_next_week),
    (
        _one_of(r"(?P<lead>)下(?:周|星期)(?P<day>[一二三四五六日天])"),
        lambda found, today: _next_week(_HAN_DAYS[found["day"]], today),
    ),
    (_one_of(rf"{_EN}\b(?:this |coming )?(?P<day>{_DAY_EN})\b(?!s)"), _coming),
    (_one_of(rf"{_DE}\b(?:diesen |kommenden )?(?P<day>{_DAY_DE})\b(?!s)"), _coming),
    (_one_of(rf"{_EN}\bnext week\b"), lambda _, today: _next_week(0, today)),
    (_one_of(rf"{_DE}\bnächste[rn]? woche\b"), lambda _, today: _next_week(0, today)),
    (_one_of(rf"{_EN}(?:the )?\b(?P<number>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})\b(?:,? (?P<year>[1-9]\d{{3}}))?"), _named),
    (_one_of(rf"{_EN}\b(?P<month>{_MONTH}) (?P<number>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>[1-9]\d{{3}}))?"), _named),
    (_one_of(rf"{_DE}(?:den |zum )?\b(?P<number>\d{{1,2}})\. (?P<month>{_MONTH})\b(?: (?P<year>[1-9]\d{{3}}))?"), _named),
)  # fmt: skip


def absolute(text: str, today: date | None) -> str:
    """Replace every date said in words by its ISO form; without a day of reference the text stays.

    "Friday" is the first one after today, "next Friday" the one of the next calendar week, which begins on Monday.
    """
    if today is None:
        return text
    for pattern, day_of in _RULES:
        text = _replaced(text, pattern, day_of, today)
    return text


def _replaced(text: str, pattern: re.Pattern[str], day_of: _DayOf, today: date) -> str:
    def iso(found: re.Match[str]) -> str:
        day = day_of(found, today)
        if day is None:
            return found[0]
        bare = found["lead"] is None and _EN in pattern.pattern and found.start() > 0
        return f"{'on ' if bare else found['lead'] or ''}{day.isoformat()}"

    return pattern.sub(iso, text)
