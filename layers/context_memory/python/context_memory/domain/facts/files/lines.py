"""One line of a file, and the entry of an export or of JSON lines that it may be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.admitting import Unfit, Written
from context_memory.domain.facts.fact import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_LINES = 2_000
"""Facts that one import brings: as many as any company lets a user have."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line brings, or why it brings nothing. `number` counts from 1, in a list by entries."""

    number: int
    brought: Written | Unfit


def entry(value: object) -> Written | Unfit:
    """A fact out of JSON: a text alone, or an object as exports have it, of which text, tier, keywords and dates count.

    Where a fact came from, how often it was used and what it said before is left behind: here it was brought along.
    """
    if isinstance(value, str):
        return Written(text=value)
    if not isinstance(value, dict) or not isinstance(text := value.get("text"), str):
        return Unfit.UNREADABLE
    keywords = value.get("keywords") or []
    try:
        tier = None if value.get("tier") is None else Tier(value["tier"])
        stated, confirmed = _moment(value.get("created_at")), _moment(value.get("last_confirmed_at"))
    except ValueError:
        return Unfit.UNREADABLE
    if not isinstance(keywords, list) or not all(isinstance(word, str) for word in keywords):
        return Unfit.UNREADABLE
    return Written(text=text, tier=tier, keywords=tuple(keywords), stated_at=stated, confirmed_at=confirmed)


def texts_of(lines: Iterable[Line]) -> tuple[str, ...]:
    """What the lines say, those that bring something."""
    return tuple(line.brought.text for line in lines if isinstance(line.brought, Written))


def bounded(lines: Sequence[Line], field: str) -> Sequence[Line]:
    """The same lines, if they are not too many.

    Raises:
        InvalidInput: they are.
    """
    if len(lines) > MOST_LINES:
        raise InvalidInput(field, f"must bring at most {MOST_LINES} facts")
    return lines


def entries(values: Sequence[object], field: str) -> Sequence[Line]:
    """The facts of an export.

    Raises:
        InvalidInput: too many.
    """
    return bounded([Line(number, entry(value)) for number, value in enumerate(values, start=1)], field)


def _moment(value: object) -> datetime | None:
    """A moment with its offset, in UTC.

    Raises:
        ValueError: anything else.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError("no moment")  # noqa: TRY004 - told apart from no other value that cannot be read
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError("no offset")
        return moment.astimezone(UTC)
    except OverflowError as error:  # a moment in the year 1 or 9999 that UTC has no year for
        raise ValueError("no moment") from error
