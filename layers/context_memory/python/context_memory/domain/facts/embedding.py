"""How an embedding model is asked, and the name under which its vectors are kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.facts.fact import Fact

_MARK_DIGITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """A model of the environment's endpoint.

    Attributes:
        name: as the endpoint knows it.
        query_prefix: what the model wants before a text that is looked for (`query: ` for the E5 family).
        passage_prefix: what it wants before a text that is to be found (`passage: `).
        dimensions: how many to ask for, where the model lets one choose; None: as many as it has.
    """

    name: str
    query_prefix: str = ""
    passage_prefix: str = ""
    dimensions: int | None = None

    @property
    def kept_as(self) -> str:
        """The name that its vectors carry: another way of asking makes other vectors, and so another name."""
        manner = (self.query_prefix, self.passage_prefix, self.dimensions)
        if manner == ("", "", None):
            return self.name
        return f"{self.name}#{hashlib.sha256(repr(manner).encode()).hexdigest()[:_MARK_DIGITS]}"


def waiting(facts: Iterable[Fact], model: str) -> list[Fact]:
    """Facts without a vector of the model whose vectors are kept under this name."""
    return [fact for fact in facts if fact.vector is None or fact.vector.model != model]
