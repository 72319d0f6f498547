"""`TURN#` and `A#OPEN#`: what is recorded about a turn, and that it waits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.state import WAITING
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.turn import KEPT, TurnRecord, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey


def turn_item(user: UserKey, record: TurnRecord) -> dict[str, Plain]:
    """A turn that is new: `profile_outcome` and `facts_outcome` are absent until they are final."""
    return {
        "pk": user.partition,
        "sk": keys.turn(record.turn_id),
        "turn_id": record.turn_id,
        "epoch": record.epoch,
        "payload_sha256": record.payload_sha256,
        "open_key": record.open_key,
        "accepted_at": stamp(record.accepted_at),
        "occurred_at": stamp(record.occurred_at),
        "status": record.status.value,
        "attempts": record.attempts,
        "calls": record.calls,
        "ring": record.ring,
        "alone": record.alone,
        "consumers": list(record.consumers),
        "usage": [usage_map(usage) for usage in record.usage],
        "expires_at": expires_at(record.accepted_at),
        **({"chat_id": record.chat_id} if record.chat_id else {}),
        **({"provider": record.provider} if record.provider else {}),
        **_superseding(record),
        **silent(teaches=record.teaches),
    }


def open_item(user: UserKey, record: TurnRecord) -> dict[str, Plain]:
    """The item by which the turn is found to be waiting."""
    return {
        "pk": user.partition,
        "sk": f"{keys.OPEN}{record.open_key}",
        "turn_id": record.turn_id,
        "epoch": record.epoch,
        "accepted_at": stamp(record.accepted_at),
        "occurred_at": stamp(record.occurred_at),
        "state": WAITING,
        "expires_at": expires_at(record.accepted_at),
        **_superseding(record),
    }


def record_of(item: Mapping[str, Any]) -> TurnRecord:
    """What a `TURN#` item says."""
    outcome = item.get("profile_outcome")
    return TurnRecord(
        turn_id=item["turn_id"],
        epoch=item["epoch"],
        payload_sha256=item["payload_sha256"],
        open_key=item["open_key"],
        accepted_at=moment(item["accepted_at"]),
        occurred_at=moment(item["occurred_at"]),
        status=TurnStatus(item["status"]),
        outcome=None if outcome is None else Outcome(outcome),
        reason=item.get("reason"),
        attempts=item["attempts"],
        calls=item["calls"],
        ring=item["ring"],
        alone=item["alone"],
        revision=item.get("revision"),
        started_at=moment(item["started_at"]) if "started_at" in item else None,
        supersedes_turn_id=item.get("supersedes_turn_id"),
        consumers=tuple(item["consumers"]),
        usage=tuple(Usage(**usage) for usage in item["usage"]),
        chat_id=item.get("chat_id"),
        finished_at=moment(item["finished_at"]) if "finished_at" in item else None,
        facts_outcome=FactsOutcome(item["facts_outcome"]) if "facts_outcome" in item else None,
        facts=FactsCounts(**item["facts"]) if "facts" in item else None,
        provider=item.get("provider"),
        teaches=item.get("teaches", True),
    )


def usage_map(usage: Usage) -> dict[str, Plain]:
    """Tokens of one call, as an attribute."""
    return asdict(usage)


def silent(*, teaches: bool) -> dict[str, Plain]:
    """What turns and their extractions say when nothing may be learned from them; all others say nothing of it."""
    return {} if teaches else {"teaches": False}


def as_silent(*, teaches: bool) -> str:
    """The condition that nobody has silenced a turn since it was read."""
    return " AND attribute_not_exists(#teaches)" if teaches else ""


def _superseding(record: TurnRecord) -> dict[str, Plain]:
    return {"supersedes_turn_id": record.supersedes_turn_id} if record.supersedes_turn_id else {}


def expires_at(accepted_at: datetime) -> int:
    """When the items of a turn that was accepted then go by themselves, in seconds since 1970."""
    return int((accepted_at + KEPT).timestamp())
