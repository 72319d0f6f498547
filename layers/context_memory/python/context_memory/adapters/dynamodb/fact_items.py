"""`FACT` and `FACT#<id>`: the head of a scope's facts, and each of them. A user's and shared ones look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.domain.facts.fact import Fact, Past, Source, Tier
from context_memory.domain.facts.vectors import Vector
from context_memory.ports.facts import Facts, FactsHead

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from context_memory.adapters.dynamodb.attributes import Plain

_NOTHING = FactsHead()


def head_item(partition: str, epoch: int, head: FactsHead, write: str) -> dict[str, Plain]:
    """The head, with the name of the write that made it."""
    return {
        "pk": partition,
        "sk": keys.FACTS_HEAD,
        "epoch": epoch,
        "version": head.version,
        "count": head.count,
        "write": write,
    }


def head_of(item: Mapping[str, Any] | None, epoch: int) -> FactsHead:
    """What the head says; one of another epoch says nothing."""
    if item is None or item["epoch"] != epoch:
        return _NOTHING
    return FactsHead(item["version"], item["count"])


def fact_item(partition: str, epoch: int, fact: Fact) -> dict[str, Plain]:
    """One fact; what it has not is left out."""
    there_or_not: dict[str, Plain] = {
        "keywords": list(fact.keywords),
        "turn_id": fact.source.turn_id,
        "chat_id": fact.source.chat_id,
        "provider": fact.source.provider,
        "supersedes": [_past_map(past) for past in fact.supersedes],
    }
    if fact.vector:
        there_or_not |= {"vector": fact.vector.values, "vector_model": fact.vector.model}
    return {
        "pk": partition,
        "sk": keys.fact(fact.id),
        "epoch": epoch,
        "tier": fact.tier.value,
        "text": fact.text,
        "tokens": fact.tokens,
        "created_at": stamp(fact.created_at),
        "last_confirmed_at": stamp(fact.last_confirmed_at),
        "uses": fact.uses,
        **{name: value for name, value in there_or_not.items() if value},
    }


def fact_of(item: Mapping[str, Any]) -> Fact:
    """What an item says."""
    return Fact(
        id=item["sk"].rpartition("#")[2],
        tier=Tier(item["tier"]),
        text=item["text"],
        tokens=item["tokens"],
        created_at=moment(item["created_at"]),
        last_confirmed_at=moment(item["last_confirmed_at"]),
        keywords=tuple(item.get("keywords", ())),
        vector=Vector(item["vector_model"], item["vector"]) if "vector" in item else None,
        source=Source(item.get("turn_id"), item.get("chat_id"), item.get("provider")),
        uses=item["uses"],
        supersedes=tuple(map(_past_of, item.get("supersedes", ()))),
        epoch=item["epoch"],
    )


def facts_of(items: Iterable[Mapping[str, Any]], epoch: int) -> Facts:
    """Head and facts of a scope, of one epoch; other items among them do not matter."""
    head, facts = _NOTHING, list[Fact]()
    for item in items:
        if item["sk"] == keys.FACTS_HEAD:
            head = head_of(item, epoch)
        elif item["sk"].startswith(keys.FACTS) and item["epoch"] == epoch:
            facts.append(fact_of(item))
    return Facts(head, tuple(facts))


def _past_map(past: Past) -> dict[str, Plain]:
    there_or_not: dict[str, Plain] = {
        "turn_id": past.source.turn_id,
        "chat_id": past.source.chat_id,
        "created_at": stamp(past.created_at) if past.created_at else None,
    }
    return {
        "id": past.id,
        "text": past.text,
        "tier": past.tier.value,
        "replaced_at": stamp(past.replaced_at),
        **{name: value for name, value in there_or_not.items() if value},
    }


def _past_of(attribute: Mapping[str, Any]) -> Past:
    return Past(
        attribute["id"],
        attribute["text"],
        moment(attribute["replaced_at"]),
        tier=Tier(attribute["tier"]),
        source=Source(attribute.get("turn_id"), attribute.get("chat_id")),
        created_at=moment(attribute["created_at"]) if "created_at" in attribute else None,
    )
