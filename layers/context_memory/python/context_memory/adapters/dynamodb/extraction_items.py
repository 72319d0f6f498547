"""`EXTRACT#<open_key>`: a turn whose facts are still to be extracted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.state import DEAD, WAITING
from context_memory.adapters.dynamodb.turn_items import expires_at, silent
from context_memory.domain.facts.heeding import Heeded
from context_memory.domain.outcomes import Outcome
from context_memory.ports.facts import PendingExtraction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey


def extraction_item(user: UserKey, pending: PendingExtraction) -> dict[str, Plain]:
    """An extraction that waits; it expires with its turn and the payload."""
    return {
        "pk": user.partition,
        "sk": keys.extraction(pending.open_key),
        "turn_id": pending.turn_id,
        "payload_sha256": pending.payload_sha256,
        "epoch": pending.epoch,
        "accepted_at": stamp(pending.accepted_at),
        "occurred_at": stamp(pending.occurred_at),
        "outcome": pending.outcome.value,
        "forgets": pending.forgets,
        "attempts": pending.attempts,
        "calls": pending.calls,
        "ring": pending.ring,
        "state": WAITING,
        "expires_at": expires_at(pending.accepted_at),
        **({"provider": pending.provider} if pending.provider else {}),
        **({"spared": [*sorted(pending.heeded.spared)]} if pending.heeded.spared else {}),
        **({"wholly": True} if pending.heeded.wholly else {}),
        **silent(teaches=pending.teaches),
    }


def extraction_of(item: Mapping[str, Any]) -> PendingExtraction:
    """What the item says."""
    return PendingExtraction(
        open_key=item["sk"].removeprefix(keys.EXTRACTIONS),
        turn_id=item["turn_id"],
        payload_sha256=item["payload_sha256"],
        epoch=item["epoch"],
        accepted_at=moment(item["accepted_at"]),
        occurred_at=moment(item["occurred_at"]),
        outcome=Outcome(item["outcome"]),
        forgets=item["forgets"],
        attempts=item["attempts"],
        calls=item["calls"],
        dead=item["state"] == DEAD,
        ring=item["ring"],
        reason=item.get("reason"),
        provider=item.get("provider"),
        heeded=Heeded(frozenset(item.get("spared", ())), wholly=item.get("wholly", False)),
        teaches=item.get("teaches", True),
    )
