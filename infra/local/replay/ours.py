"""Our own format: users, chats and their turns, dated absolutely or by how many days ago they were.

    {"title": "…",
     "users": {"lena": {"display_name": "Lena Frei", "time_zone": "Europe/Zurich"}},
     "chats": [{"chat": "first-steps", "user": "lena", "space": "everyday", "turns": [
         {"days_ago": 3, "time": "09:02", "user": "Hi!", "assistant": "Hello.", "shows": "small talk leaves nothing"},
         {"at": "2026-06-17T11:40:00+02:00", "messages": [{"role": "user", "content": "…"}]}]}]}

Days and times are the user's own. A conversation in days ago can be played on any day, reminders in it included.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from infra.local.replay.plan import Plan, PlannedTurn, ReplayFileError

if TYPE_CHECKING:
    from collections.abc import Iterator


def reads(document: object) -> bool:
    """Whether a parsed file is in this format."""
    return isinstance(document, dict) and isinstance(document.get("chats"), list)


def read(document: dict[str, Any], *, now: datetime, space: str) -> Plan:
    """Read a conversation.

    Args:
        document: the parsed JSON.
        now: what "days ago" counts from, with a zone.
        space: where chats without a space of their own take place.

    Raises:
        ReplayFileError: names the chat and turn that is wrong.
    """
    users = document.get("users", {})
    turns: list[PlannedTurn] = []
    for position, chat in enumerate(document["chats"], start=1):
        try:
            turns += _chat(chat, users.get(chat["user"], {}), now, space)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ReplayFileError(f"chat {position} of the file cannot be read ({type(error).__name__})") from error
    return Plan.of(str(document.get("title", "conversation")), turns)


def _chat(chat: dict[str, Any], user: dict[str, Any], now: datetime, space: str) -> Iterator[PlannedTurn]:
    zone = user.get("time_zone")
    messages: tuple[dict[str, Any], ...] = ()
    for number, turn in enumerate(chat["turns"], start=1):
        messages += tuple(turn["messages"]) if "messages" in turn else tuple(_pair(turn))
        yield PlannedTurn(
            user_id=chat["user"],
            chat_id=chat["chat"],
            number=number,
            occurred_at=_moment(turn, now, zone),
            messages=messages,
            space_id=chat.get("space", space),
            time_zone=zone,
            display_name=user.get("display_name"),
            note=turn.get("shows", ""),
        )


def _pair(turn: dict[str, Any]) -> Iterator[dict[str, str]]:
    yield {"role": "user", "content": str(turn["user"])}
    if "assistant" in turn:
        yield {"role": "assistant", "content": str(turn["assistant"])}


def _moment(turn: dict[str, Any], now: datetime, zone: str | None) -> datetime:
    if "at" in turn:
        at = datetime.fromisoformat(turn["at"])
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    here = ZoneInfo(zone) if zone else UTC
    day = now.astimezone(here).date() - timedelta(days=int(turn["days_ago"]))
    return datetime.combine(day, time.fromisoformat(turn["time"]), tzinfo=here)
