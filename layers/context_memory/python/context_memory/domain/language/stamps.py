"""The stamp that opens a line of Recent Topics: `YYYY-MM-DD HH:MM UTC: `."""

from __future__ import annotations

import re
from datetime import UTC, datetime

# What a model or an older file writes for it: brackets or emphasis around, the time or the zone left out, a dash.
_STAMP = re.compile(
    r"[\[(*_]{0,3}(\d{4})-(\d{2})-(\d{2})(?:[T ,]{1,2}(\d{2}):(\d{2})(?::\d{2})?)?(?: ?(?:UTC|Z|GMT))?[\])*_]{0,3}"
    r"(?:\s*[:\u2013\u2014]\s*[*_]{0,2}\s*|\s+-\s+|(?<=[\])])\s+)"
)


def split(line: str) -> tuple[datetime | None, str]:
    """Part a topic line into its stamp (aware UTC, None when there is none) and what it is about."""
    found = _STAMP.match(line)
    if found is None:
        return None, line
    year, month, day, hour, minute = (int(part or 0) for part in found.groups())
    try:
        at = datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:  # looks like a stamp and is no day of the calendar
        return None, line
    return at, line[found.end() :]


def stamped(subject: str, at: datetime) -> str:
    """A topic line with the stamp of `at`, an aware time."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC: {subject}"
