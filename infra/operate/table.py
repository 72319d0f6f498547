"""Rows for a terminal. Ids are anybody's text: what would steer a terminal is spelled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import timedelta

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def shown(text: str | None) -> str:
    """Text as it is if it prints as one word, else quoted with escapes; `-` for none."""
    if text is None:
        return "-"
    return text if text.isprintable() and text not in {"", "-"} and " " not in text else ascii(text)


def age(since: timedelta) -> str:
    """A duration in its largest unit (`3 min`)."""
    seconds = max(0, int(since.total_seconds()))
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"


def lined_up(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows with columns of one width each."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
