"""`KEPT#<open_key>`: a turn whose text is kept; and `KEPT`: until when nothing that was said is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.domain.kept_turns import AT_MOST, KeptTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey


def kept_item(user: UserKey, turn: KeptTurn) -> dict[str, Plain]:
    """A turn whose text is kept; it expires behind the longest time that a company may set."""
    return {
        "pk": user.partition,
        "sk": keys.kept(turn.open_key),
        "turn_id": turn.turn_id,
        "payload_sha256": turn.payload_sha256,
        "epoch": turn.epoch,
        "accepted_at": stamp(turn.accepted_at),
        "occurred_at": stamp(turn.occurred_at),
        "expires_at": int((turn.accepted_at + AT_MOST).timestamp()),
        **({"chat_id": turn.chat_id} if turn.chat_id else {}),
        **({"provider": turn.provider} if turn.provider else {}),
    }


def kept_of(item: Mapping[str, Any]) -> KeptTurn:
    """What the item says."""
    return KeptTurn(
        open_key=item["sk"].removeprefix(keys.KEPT),
        turn_id=item["turn_id"],
        payload_sha256=item["payload_sha256"],
        epoch=item["epoch"],
        accepted_at=moment(item["accepted_at"]),
        occurred_at=moment(item["occurred_at"]),
        chat_id=item.get("chat_id"),
        provider=item.get("provider"),
    )


def not_closed(epoch: int, turns: Iterable[KeptTurn]) -> Expression:
    """The condition that nothing of what was said in these turns is closed; of another epoch `KEPT` says nothing."""
    oldest = min(turn.said_at for turn in turns)
    return Expression(
        condition="attribute_not_exists(#pk) OR #epoch <> :epoch OR #closed_until < :oldest",
        values={"epoch": epoch, "oldest": stamp(oldest)},
    )


def closing(epoch: int, at: datetime) -> Expression:
    """Says until when; a later time stands, unless it is of another epoch."""
    return Expression(
        condition="attribute_not_exists(#pk) OR #epoch < :epoch OR (#epoch = :epoch AND #closed_until < :at)",
        # By its epoch an erase finds it; and once nothing can be kept any more that is older, it has nothing to say.
        change="SET #closed_until = :at, #epoch = :epoch, #expires_at = :expires_at",
        values={"epoch": epoch, "at": stamp(at), "expires_at": int((at + AT_MOST).timestamp())},
    )


def still_kept(turn: KeptTurn) -> Expression:
    """The condition that it is."""
    return Expression(condition="attribute_exists(#pk) AND #epoch = :epoch", values={"epoch": turn.epoch})
