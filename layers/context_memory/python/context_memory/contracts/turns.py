"""The body of `POST …/turns`, checked, and its one canonical form."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from context_memory.contracts.body import checked
from context_memory.domain.delegation import Delegation
from context_memory.domain.errors import InvalidInput, PayloadUnreadable
from context_memory.domain.ids import encode
from context_memory.domain.turn import Message, Turn

MAX_MESSAGES = 200
MAX_AHEAD = timedelta(minutes=5)
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_NO_PLACES = frozenset({"localtime", "Factory", "posixrules"})
"""Names of the zone database that mean the machine's own zone, or none."""
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


def _id(value: str) -> str:
    try:
        encode(value)
    except InvalidInput as error:
        raise ValueError(error.detail) from error
    return value


def _zone(value: str) -> str:
    if value in _NO_PLACES:
        raise ValueError("must be a time zone of a place, such as Europe/Zurich, or UTC")
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: a name that is a folder of zones
        raise ValueError("must be a time zone of the IANA database, such as Europe/Zurich") from error
    return value


Id = Annotated[str, AfterValidator(_id)]
TimeZone = Annotated[str, AfterValidator(_zone)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class UseMemory(_Strict):
    """Whether this turn reads and writes memory; what it does not say is the company's to say."""

    read: bool | None = None
    write: bool | None = None


class Part(BaseModel):
    """One content part, in any of the shapes of OpenAI's APIs; only text parts are read."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str
    text: str | None = None


class TurnMessage(BaseModel):
    """One message as orchestrators keep it; fields that we do not read are accepted and kept."""

    model_config = ConfigDict(extra="allow", frozen=True)

    role: Literal["user", "assistant", "tool", "system", "developer"]
    content: str | list[Part] | None = None
    name: str | None = None
    tool_calls: list[dict[str, Any]] | None = None

    def read(self) -> Message:
        """The message with its text parts only."""
        if isinstance(self.content, list):
            parts = tuple(part.text for part in self.content if part.type in _TEXT_PARTS and part.text)
        else:
            parts = (self.content,) if self.content else ()
        return Message(self.role, parts, self.name, has_tool_calls=bool(self.tool_calls))


class TurnBody(_Strict):
    """A finished turn."""

    turn_id: Id
    space_id: Id
    chat_id: Id | None = None
    messages: Annotated[list[TurnMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    occurred_at: AwareDatetime
    time_zone: TimeZone | None = None
    display_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    web_search: bool | None = None
    language_model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    use_memory: UseMemory = UseMemory()
    supersedes_turn_id: Id | None = None
    parent_turn_id: Id | None = None
    inherit_memory: bool | None = None

    @classmethod
    def parse(cls, raw: bytes, now: datetime) -> TurnBody:
        """Check a request's body.

        Raises:
            BodyTooLarge: more than 1 MB.
            InvalidInput: names the first field that is wrong.
        """
        body = checked(cls, raw)
        if not EARLIEST <= body.occurred_at <= now + MAX_AHEAD:
            raise InvalidInput("occurred_at", "must be after the year 1999 and at most 5 minutes in the future")
        if body.supersedes_turn_id == body.turn_id:
            raise InvalidInput("supersedes_turn_id", "must be another turn")
        if body.parent_turn_id == body.turn_id:
            raise InvalidInput("parent_turn_id", "must be another turn")
        return body

    @classmethod
    def stored(cls, canonical: bytes) -> TurnBody:
        """Read a payload that `canonical` wrote, here or in a release that knows more fields.

        Raises:
            PayloadUnreadable: it is none.
        """
        try:
            return cls.model_validate_json(canonical, extra="ignore")
        except ValidationError:
            # Without the cause: it would quote what was said.
            raise PayloadUnreadable("A stored turn cannot be read.") from None

    def canonical(self) -> bytes:
        """JSON with sorted keys and defaults left out: equal for bodies that mean the same.

        That memory is to be used is left out, too: it decides whether a turn is accepted, and after that it is.
        """
        fields = self.model_dump(mode="json", exclude_defaults=True)
        refused = {direction: False for direction, used in fields.pop("use_memory", {}).items() if used is False}
        fields |= {"use_memory": refused} if refused else {}
        fields["occurred_at"] = self.occurred_at.astimezone(UTC).isoformat()
        return json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()

    def turn(self) -> Turn:
        """The turn as the domain knows it."""
        return Turn(
            turn_id=self.turn_id,
            space_id=self.space_id,
            messages=tuple(message.read() for message in self.messages),
            occurred_at=self.occurred_at.astimezone(UTC),
            chat_id=self.chat_id,
            time_zone=self.time_zone,
            display_name=self.display_name,
            language_model=self.language_model,
            read=self.use_memory.read,
            write=self.use_memory.write,
            web_search=self.web_search,
            supersedes_turn_id=self.supersedes_turn_id,
            delegation=Delegation(parent_turn_id=self.parent_turn_id, inherit_memory=self.inherit_memory),
        )


def sha256(canonical: bytes) -> str:
    """Hex digest that names a payload."""
    return hashlib.sha256(canonical).hexdigest()
