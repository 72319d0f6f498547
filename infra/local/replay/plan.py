"""What is to be played: finished turns of users, each with everything that the API wants to know."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infra.local.ids import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

_MOST_MESSAGES = 40  # of one chat, the newest: as much as an orchestrator keeps in its window
_LONGEST_LABEL = 60


class ReplayFileError(Exception):
    """The file is none of the formats; the message says where it went wrong, without its text."""


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One turn: `messages` is the chat up to and with its answer; `note` says what it shows."""

    user_id: str
    chat_id: str
    number: int
    occurred_at: datetime
    messages: tuple[dict[str, Any], ...]
    space_id: str
    time_zone: str | None = None
    display_name: str | None = None
    note: str = ""

    @property
    def turn_id(self) -> str:
        """The same turn gets the same id, so that playing a file twice changes nothing the second time."""
        content = json.dumps([self.user_id, self.chat_id, self.occurred_at.isoformat(), self.messages])
        label = encode(self.chat_id)[:_LONGEST_LABEL].rstrip("=")
        return f"{label}-{self.number}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"

    @property
    def said(self) -> str:
        """The user's last message, as text."""
        asked = (message.get("content") for message in reversed(self.messages) if message.get("role") == "user")
        content = next(asked, None)
        if isinstance(content, list):
            return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
        return content if isinstance(content, str) else ""

    def body(self) -> dict[str, Any]:
        """The body of `POST …/turns`."""
        fields = {
            "turn_id": self.turn_id,
            "space_id": self.space_id,
            "chat_id": self.chat_id,
            "messages": list(self.messages[-_MOST_MESSAGES:]),
            "occurred_at": self.occurred_at.isoformat(),
            "time_zone": self.time_zone,
            "display_name": self.display_name,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Plan:
    """A title and all turns in the order in which they happened."""

    title: str
    turns: tuple[PlannedTurn, ...]

    @classmethod
    def of(cls, title: str, turns: Iterable[PlannedTurn]) -> Plan:
        """Order the turns by time; what happened at the same time keeps its order."""
        return cls(title, tuple(sorted(turns, key=lambda turn: turn.occurred_at)))

    def by_user(self) -> dict[str, list[PlannedTurn]]:
        """Each user's turns, in the order in which the users first appear."""
        found: dict[str, list[PlannedTurn]] = {}
        for turn in self.turns:
            found.setdefault(turn.user_id, []).append(turn)
        return found

    def of_users(self, users: Sequence[str]) -> Plan:
        """Only the turns of these users."""
        return Plan(self.title, tuple(turn for turn in self.turns if turn.user_id in users))
