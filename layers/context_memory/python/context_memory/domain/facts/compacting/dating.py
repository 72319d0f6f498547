"""The days that a text names, so that a merged fact can be held to those of the facts that it stands for."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from context_memory.domain.language.dates import dates_in

if TYPE_CHECKING:
    from collections.abc import Iterable

_SOME_DAY = date(2000, 1, 1)
_ANOTHER_DAY = date(2010, 7, 1)


def days(text: str) -> frozenset[date]:
    """Every day, month and year that a text names, however it is spelled; months and years by their last day."""
    return frozenset(found.day for found in dates_in(text, _SOME_DAY))


def days_of(texts: Iterable[str]) -> frozenset[date]:
    """The days that several texts name."""
    return frozenset[date]().union(*map(days, texts))


def depends_on_when(text: str) -> bool:
    """Whether a text names a day without its year, which is another day in a text of another time."""
    return days(text) != frozenset(found.day for found in dates_in(text, _ANOTHER_DAY))
