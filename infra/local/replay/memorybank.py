"""MemoryBank's JSON: users by name, each with dated days of question-and-answer pairs.

The name is the user's id, a day is a chat, and a day's turns begin at nine (UTC) with five minutes between them: the
file knows days only.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.local.replay.plan import Plan, PlannedTurn, ReplayFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MORNING = timedelta(hours=9)
_BETWEEN = timedelta(minutes=5)


def reads(document: object) -> bool:
    """Whether a parsed file is in this format."""
    return (
        isinstance(document, dict)
        and bool(document)
        and all(isinstance(user, dict) and isinstance(user.get("history"), dict) for user in document.values())
    )


def read(document: Mapping[str, Any], *, space: str, days: int | None = None) -> Plan:
    """Read all users' days, or the first `days` of each.

    Raises:
        ReplayFileError: names the day that is wrong.
    """
    return Plan.of("MemoryBank", (turn for user, entry in document.items() for turn in _user(user, entry, space, days)))


def _user(user: str, entry: Mapping[str, Any], space: str, days: int | None) -> Iterator[PlannedTurn]:
    for day in sorted(entry["history"])[:days]:
        try:
            start = datetime.fromisoformat(day).replace(tzinfo=UTC) + _MORNING
            pairs = [(str(pair["query"]), str(pair["response"])) for pair in entry["history"][day]]
        except (KeyError, TypeError, ValueError) as error:
            raise ReplayFileError(f"the day {day} of a user cannot be read ({type(error).__name__})") from error
        messages: tuple[dict[str, Any], ...] = ()
        for number, (query, response) in enumerate(pairs, start=1):
            messages += ({"role": "user", "content": query}, {"role": "assistant", "content": response})
            yield PlannedTurn(
                user_id=user.strip(),
                chat_id=day,
                number=number,
                occurred_at=start + _BETWEEN * (number - 1),
                messages=messages,
                space_id=space,
                display_name=(entry.get("name") or user).strip() or None,
            )
