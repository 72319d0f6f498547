"""One dead letter, read without trust: ids and reasons, never what anybody said."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_CRASH_LOOP = "crash_loop"
_JOB = re.compile("[a-z_]{1,40}")


class Kind(StrEnum):
    """What a dead letter is."""

    NOTICE = "notice"
    """`consolidate` tells of a turn that it gave up."""

    DOORBELL = "doorbell"
    """A doorbell that was never answered, however often it came back."""

    JOB = "job"
    """A job that could not be done, however often it came back."""

    UNKNOWN = "unknown"
    """Nothing that the service writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A received message; ids are None where it holds none, `reason` is a constant of the service, or a job's name.

    `group` is empty where its queue knows no groups.
    """

    message_id: str
    receipt: str
    group: str
    body: str
    kind: Kind
    sent_at: datetime
    company_id: str | None = None
    user_id: str | None = None
    turn_id: str | None = None
    reason: str | None = None

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> DeadLetter:
        """Read a message as SQS hands it out, with its system attributes; no body makes this raise."""
        attributes = message["Attributes"]
        return cls(
            message_id=message["MessageId"],
            receipt=message["ReceiptHandle"],
            group=attributes.get("MessageGroupId", ""),
            body=message["Body"],
            sent_at=datetime.fromtimestamp(int(attributes["SentTimestamp"]) / 1000, UTC),
            **_told(message["Body"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which letters are meant; None means any."""

    company_id: str | None = None
    user_id: str | None = None
    turn_id: str | None = None

    def __contains__(self, letter: DeadLetter) -> bool:
        """Whether a letter is meant."""
        return (
            self.company_id in {None, letter.company_id}
            and self.user_id in {None, letter.user_id}
            and self.turn_id in {None, letter.turn_id}
        )


def _told(body: str) -> dict[str, Any]:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return {"kind": Kind.UNKNOWN}
    if isinstance(told.get("job"), str):
        return _told_of_a_job(told)
    if not all(isinstance(value, str) for value in told.values()):
        return {"kind": Kind.UNKNOWN}
    if told.keys() == {"company_id", "user_id", "turn_id", "reason"}:
        return {"kind": Kind.NOTICE, **told}
    if told.keys() == {"company_id", "user_id", "kind"}:
        return {**told, "kind": Kind.DOORBELL, "reason": _CRASH_LOOP}
    return {"kind": Kind.UNKNOWN}


def _told_of_a_job(told: Mapping[str, Any]) -> dict[str, Any]:
    """A job names whom it is about; whatever else it holds are numbers and ids."""
    ids = {name: told[name] for name in ("company_id", "user_id") if name in told}
    if _JOB.fullmatch(told["job"]) is None or not all(isinstance(value, str) for value in ids.values()):
        return {"kind": Kind.UNKNOWN}
    return {"kind": Kind.JOB, "reason": told["job"], **ids}
