"""Which messages of a turn count: the user's since the last finished answer, and the answers around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.language.invisible import nothing_to_see

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.turn import Message


@dataclass(frozen=True, slots=True)
class Window:
    """The user's messages of this turn, oldest first, the answer before them and the one they got."""

    messages: tuple[Message, ...]
    earlier_answer: str | None
    answer: str | None


def window_of(messages: Sequence[Message], speakers: frozenset[str]) -> Window:
    """Cut the turn out of the messages that came with it.

    It begins behind the last finished answer before the last user message; what stands before is history, and
    learning from it again would bring back what was forgotten. In a group chat everybody's messages have the role
    `user`: all of them move the window, but only the unnamed and those named as one of `speakers` are the user's.
    """
    last = max((at for at, message in enumerate(messages) if message.role == "user"), default=-1)
    before = [at for at, message in enumerate(messages[: max(last, 0)]) if _finished_answer(message)]
    first = before[-1] + 1 if before else 0
    after = [message.text for message in messages[last + 1 :] if _finished_answer(message)]
    return Window(
        messages=tuple(message for message in messages[first : last + 1] if _is_users(message, speakers)),
        earlier_answer=messages[before[-1]].text if before else None,
        answer=after[-1] if after else None,
    )


def _finished_answer(message: Message) -> bool:
    return message.role == "assistant" and not message.has_tool_calls and not nothing_to_see(message.text)


def _is_users(message: Message, speakers: frozenset[str]) -> bool:
    name = (message.name or "").strip()
    return message.role == "user" and (not name or name in speakers)
