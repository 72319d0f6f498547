"""A fact as a JSON document, for indexes that are kept outside of the store of facts.

Such an index is made from the store, so it need not hold what only the store is asked for: a fact's past.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from datetime import datetime
from typing import Any

from context_memory.domain.facts.fact import Fact, Source, Tier
from context_memory.domain.facts.vectors import Vector

type Document = dict[str, Any]
IS_CORE = '{"id":"%","tier":"core",%'
"""Pattern of SQL's LIKE for what `written` writes of a core fact; within its text quotes are escaped."""


def document_of(fact: Fact) -> Document:
    """The fact without its past; its vector in base64 beside the model's name."""
    vector = fact.vector
    return {
        "id": fact.id,
        "tier": fact.tier.value,
        "text": fact.text,
        "tokens": fact.tokens,
        "created_at": fact.created_at.isoformat(),
        "last_confirmed_at": fact.last_confirmed_at.isoformat(),
        "keywords": list(fact.keywords),
        "source": [fact.source.turn_id, fact.source.chat_id, fact.source.provider],
        "uses": fact.uses,
        "epoch": fact.epoch,
        "vector": vector and [vector.model, b64encode(vector.values).decode()],
    }


def fact_of(document: Document) -> Fact:
    """The fact that `document_of` described."""
    vector = document["vector"]
    return Fact(
        id=document["id"],
        tier=Tier(document["tier"]),
        text=document["text"],
        tokens=document["tokens"],
        created_at=datetime.fromisoformat(document["created_at"]),
        last_confirmed_at=datetime.fromisoformat(document["last_confirmed_at"]),
        keywords=tuple(document["keywords"]),
        source=Source(*document["source"]),
        uses=document["uses"],
        epoch=document["epoch"],
        vector=vector and Vector(vector[0], b64decode(vector[1])),
    )


def written(fact: Fact) -> str:
    """The document in one line."""
    return json.dumps(document_of(fact), ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> Fact:
    """The fact that `written` wrote."""
    return fact_of(json.loads(text))
