"""How doorbells are named, so that rings of one reason become one message."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.turn import FACTS
from context_memory.ports.queues import Doorbell

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.queues import Life

_SLOT_SECONDS = 600


def turn_ring(user: UserKey, record: TurnRecord) -> Doorbell:
    """For a turn that was just accepted, or set waiting again (its ring is one higher then)."""
    return Doorbell(user, f"{user.partition}|{record.epoch}|{record.turn_id}|{record.ring}")


def healing_ring(user: UserKey, now: datetime) -> Doorbell:
    """For turns that somebody found stranded: at most one ring in ten minutes."""
    return Doorbell(user, f"{user.partition}|slot|{int(now.timestamp()) // _SLOT_SECONDS}")


def facts_ring(user: UserKey, turn: Life) -> Doorbell:
    """For a turn whose facts are to be extracted now, or again (its ring is one higher then)."""
    return Doorbell(user, f"{user.partition}|{turn.epoch}|{turn.turn_id}|{turn.ring}", kind=FACTS)


def facts_healing_ring(user: UserKey, now: datetime) -> Doorbell:
    """For facts that somebody found waiting: at most one ring in ten minutes."""
    return replace(healing_ring(user, now), kind=FACTS)


def outgrown_ring(user: UserKey, pointer: ProfilePointer) -> Doorbell:
    """For a profile over its cap."""
    return Doorbell(user, f"{user.partition}|outgrown|{pointer.epoch}|{pointer.turn_count}")
