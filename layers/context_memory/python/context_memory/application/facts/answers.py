"""Facts as the bodies that people get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from context_memory.application.facts.bringing import Brought
    from context_memory.domain.facts.fact import Fact, Past
    from context_memory.ports.facts import Facts


def fact_body(fact: Fact) -> dict[str, Any]:
    """One fact, with all that is held about it but its vector."""
    return {
        "id": fact.id,
        "text": fact.text,
        "tier": fact.tier.value,
        "keywords": list(fact.keywords),
        "created_at": fact.created_at.isoformat(timespec="seconds"),
        "last_confirmed_at": fact.last_confirmed_at.isoformat(timespec="seconds"),
        "source": {"turn_id": fact.source.turn_id, "chat_id": fact.source.chat_id},
        "uses": fact.uses,
        "supersedes": [_past_body(past) for past in fact.supersedes],
    }


def facts_body(page: Facts, following: str | None) -> dict[str, Any]:
    """A page of facts; `count` is of all there are, `next` what the next page is asked for with."""
    return {"facts": [fact_body(fact) for fact in page.facts], "count": page.head.count, "next": following}


def brought_body(brought: Brought) -> dict[str, Any]:
    """What became of each line of a file, by its number alone."""
    return {
        "stored": brought.counts["stored"],
        "merged": brought.counts["merged"],
        "refused": brought.counts["refused"],
        "lines": [
            {"line": line.number, "result": line.result.value} | ({"reason": line.reason.value} if line.reason else {})
            for line in brought.lines
        ],
    }


def _past_body(past: Past) -> dict[str, Any]:
    return {"text": past.text, "replaced_at": past.replaced_at.isoformat(timespec="seconds")}
