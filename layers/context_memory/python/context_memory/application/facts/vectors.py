"""Vectors for facts that people write, where an embedding model is configured; words find a fact without one, too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import ModelRejected, Unavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.ports.recall import Embedder
    from context_memory.ports.telemetry import Telemetry

_TOO_SHORT = 0.1
"""Seconds in which no endpoint answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """Asks for the vectors that are missing. Whoever writes does not wait long, and is never refused for it."""

    embedder: Callable[[], Embedder | None]
    telemetry: Telemetry

    def __call__(self, facts: Sequence[Fact], *, seconds: float) -> Sequence[Fact]:
        """The same facts, those without a vector with one if it is to be had in so many seconds."""
        embedder, missing = self.embedder(), [fact.text for fact in facts if fact.vector is None]
        if embedder is None or not missing or seconds < _TOO_SHORT:
            return facts
        try:
            vectors = dict(zip(missing, embedder.passages(missing, seconds_left=seconds), strict=True))
        except (Unavailable, ModelRejected) as error:
            self.telemetry.count("embedding_total", outcome="error")
            self.telemetry.warning("facts are stored without vectors", error_type=kind_of(error))
            return facts
        self.telemetry.count("embedding_total", outcome="success")
        return [fact if fact.vector else replace(fact, vector=vectors[fact.text]) for fact in facts]
