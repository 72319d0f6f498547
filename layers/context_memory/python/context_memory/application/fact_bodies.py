"""Facts as those get them who may see all of them: vectors are no part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.domain.facts.compacting.ageing import UNDONE_WITHIN

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.facts.fact import Compaction, Fact


def fact_body(fact: Fact) -> dict[str, Any]:
    """One fact with where it comes from, how often it was cited, and what it said before, the newest first."""
    return {
        "id": fact.id,
        "tier": fact.tier.value,
        "text": fact.text,
        "keywords": list(fact.keywords),
        "created_at": _time(fact.created_at),
        "last_confirmed_at": _time(fact.last_confirmed_at),
        "source": {
            "turn_id": fact.source.turn_id,
            "chat_id": fact.source.chat_id,
            "provider": fact.source.provider,
            "space_id": fact.source.space_id,
        },
        "uses": fact.uses,
        "supersedes": [{"text": past.text, "replaced_at": _time(past.replaced_at)} for past in fact.supersedes],
        "merged": _merged(fact.compaction) if fact.compaction and fact.compaction.originals else None,
    }


def _merged(compaction: Compaction) -> dict[str, Any]:
    """When a fact came to stand for several that it can still be parted into, until when it can, and what they say."""
    return {
        "at": _time(compaction.at),
        "until": _time(compaction.at + UNDONE_WITHIN),
        "texts": [one.text for one in compaction.originals],
    }


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
