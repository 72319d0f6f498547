"""OpenAI's JSON lines: one chat a line as `{"messages": […]}`, as logs of chats and fine-tuning files have it.

A line may name its `user`, its chat (`chat_id` or `id`) and its time (`created` or `timestamp`: seconds since 1970 or
ISO 8601). Chats without a time are laid one minute a turn before now, the last line last.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.local.replay.plan import Plan, PlannedTurn, ReplayFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROLES = {"function": "tool"}  # what older files call it
_TIMES = ("created", "timestamp", "created_at")
_CHATS = ("chat_id", "conversation_id", "id")


def reads(documents: Sequence[object]) -> bool:
    """Whether parsed lines are in this format."""
    return bool(documents) and isinstance(documents[0], dict) and "messages" in documents[0]


def read(documents: Sequence[Any], *, now: datetime, space: str, user: str) -> Plan:
    """Read the chats of all lines.

    Args:
        documents: the parsed lines.
        now: the moment before which undated chats took place.
        space: where they take place.
        user: whose they are where a line does not say.

    Raises:
        ReplayFileError: names the line that is wrong.
    """
    chats: list[tuple[int, Any, list[tuple[dict[str, Any], ...]]]] = []
    for number, line in enumerate(documents, start=1):
        try:
            chats.append((number, line, finished_turns(line["messages"])))
        except (KeyError, TypeError, AttributeError) as error:
            raise ReplayFileError(f"line {number} of the file is no chat ({type(error).__name__})") from error
    undated = now - timedelta(minutes=sum(len(turns) for _, _, turns in chats))
    planned: list[PlannedTurn] = []
    for number, line, turns in chats:
        start = _time(line, number)
        for position, messages in enumerate(turns, start=1):
            undated += timedelta(minutes=1)
            planned.append(
                PlannedTurn(
                    user_id=str(line.get("user") or user),
                    chat_id=str(next((line[name] for name in _CHATS if line.get(name)), f"line-{number}")),
                    number=position,
                    occurred_at=start + timedelta(minutes=position - 1) if start else undated,
                    messages=messages,
                    space_id=space,
                )
            )
    return Plan.of("OpenAI JSON lines", planned)


def finished_turns(messages: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], ...]]:
    """Cut a chat into its turns, each with all that came before: a turn ends with an answer that calls no tool."""
    known = [{**message, "role": _ROLES.get(message["role"], message["role"])} for message in messages]
    ends: list[int] = []
    asked = False
    for position, message in enumerate(known):
        if message["role"] == "user":
            asked = True
        elif message["role"] == "assistant" and asked and message.get("content") and not message.get("tool_calls"):
            ends.append(position)
            asked = False
    if asked:  # the last question was never answered, but it was said
        ends.append(len(known) - 1)
    return [tuple(known[: end + 1]) for end in ends]


def _time(line: Any, number: int) -> datetime | None:  # noqa: ANN401 (a parsed line is anything)
    value = next((line[name] for name in _TIMES if line.get(name)), None)
    if value is None:
        return None
    try:
        at = datetime.fromtimestamp(value, UTC) if isinstance(value, int | float) else datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise ReplayFileError(f"line {number} of the file has a time that is none") from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)
