"""`FACT` and `FACT#<id>`: the head of a scope's facts, and each of them. A user's and shared ones look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.domain.facts.fact import Compaction, Fact, Origin, Past, Source, Tier
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
    return {"pk": partition, "sk": keys.fact(fact.id), "epoch": epoch, **fact_map(fact)}


def fact_map(fact: Fact) -> dict[str, Plain]:
    """What a fact says, without its id; a merged one holds the facts that it was merged from likewise."""
    there_or_not: dict[str, Plain] = {
        "keywords": list(fact.keywords),
        **_source_map(fact.source),
        "supersedes": [_past_map(past) for past in fact.supersedes],
        "compaction": compaction_map(fact.compaction) if fact.compaction else None,
        "unchecked": fact.unchecked,
    }
    if fact.vector:
        there_or_not |= {"vector": fact.vector.values, "vector_model": fact.vector.model}
    return {
        "tier": fact.tier.value,
        "text": fact.text,
        "tokens": fact.tokens,
        "created_at": stamp(fact.created_at),
        "last_confirmed_at": stamp(fact.last_confirmed_at),
        "uses": fact.uses,
        **_present(there_or_not),
    }


def fact_of(item: Mapping[str, Any]) -> Fact:
    """What an item says."""
    return fact_from(item["sk"].rpartition("#")[2], item["epoch"], item)


def fact_from(one: str, epoch: int, item: Mapping[str, Any]) -> Fact:
    """The fact of that id and epoch."""
    merged = item.get("compaction")
    return Fact(
        id=one,
        tier=Tier(item["tier"]),
        text=item["text"],
        tokens=item["tokens"],
        created_at=moment(item["created_at"]),
        last_confirmed_at=moment(item["last_confirmed_at"]),
        keywords=tuple(item.get("keywords", ())),
        vector=Vector(item["vector_model"], item["vector"]) if "vector" in item else None,
        source=_source_of(item),
        uses=item["uses"],
        supersedes=tuple(map(_past_of, item.get("supersedes", ()))),
        compaction=compaction_of(merged, epoch) if merged else None,
        epoch=epoch,
        unchecked=item.get("unchecked", False),
    )


def compaction_map(merged: Compaction) -> dict[str, Plain]:
    """How a fact came to stand for several, and those as they were."""
    return {
        "at": stamp(merged.at),
        "origins": [_origin_map(one) for one in merged.origins],
        "originals": [{"id": fact.id, **fact_map(fact)} for fact in merged.originals],
    }


def compaction_of(attribute: Mapping[str, Any], epoch: int) -> Compaction:
    """What `compaction_map` wrote."""
    return Compaction(
        at=moment(attribute["at"]),
        origins=tuple(map(_origin_of, attribute["origins"])),
        originals=tuple(fact_from(one["id"], epoch, one) for one in attribute["originals"]),
    )


def _origin_map(one: Origin) -> dict[str, Plain]:
    return {"id": one.id, "created_at": stamp(one.created_at), **_present(_source_map(one.source))}


def _origin_of(attribute: Mapping[str, Any]) -> Origin:
    return Origin(attribute["id"], _source_of(attribute), moment(attribute["created_at"]))


def _source_map(source: Source) -> dict[str, Plain]:
    return {
        "turn_id": source.turn_id,
        "chat_id": source.chat_id,
        "provider": source.provider,
        "space_id": source.space_id,
    }


def _source_of(item: Mapping[str, Any]) -> Source:
    return Source(item.get("turn_id"), item.get("chat_id"), item.get("provider"), item.get("space_id"))


def _present(attributes: dict[str, Plain]) -> dict[str, Plain]:
    """Those attributes that there are."""
    return {name: value for name, value in attributes.items() if value}


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
        **_source_map(past.source),
        "created_at": stamp(past.created_at) if past.created_at else None,
        "origins": [_origin_map(one) for one in past.origins],
    }
    return {
        "id": past.id,
        "text": past.text,
        "tier": past.tier.value,
        "replaced_at": stamp(past.replaced_at),
        **_present(there_or_not),
    }


def _past_of(attribute: Mapping[str, Any]) -> Past:
    return Past(
        attribute["id"],
        attribute["text"],
        moment(attribute["replaced_at"]),
        tier=Tier(attribute["tier"]),
        source=_source_of(attribute),
        created_at=moment(attribute["created_at"]) if "created_at" in attribute else None,
        origins=tuple(map(_origin_of, attribute.get("origins", ()))),
    )
