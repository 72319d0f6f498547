"""Vectors for new facts, where an embedding model is configured; a fact without one is found by its words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import ModelRejected, Unavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.asking.deadline import Deadline
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.vectors import Vector
    from context_memory.ports.recall import Embedder
    from context_memory.ports.telemetry import Telemetry

_SECONDS = 20.0


@dataclass(slots=True, kw_only=True)
class Embedding:
    """Embeds the facts of one run; each text is asked for once, however often the run decides anew.

    `missed` says that a fact had to go without.
    """

    embedder: Embedder | None
    deadline: Deadline
    telemetry: Telemetry
    missed: bool = False
    known: dict[str, Vector] = field(default_factory=dict)

    def embedded(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """The same facts, those without a vector with one if it is to be had."""
        if self.embedder is None:
            return tuple(facts)
        wanted = [fact.text for fact in facts if fact.vector is None and fact.text not in self.known]
        if wanted and not self.missed:
            self._ask(self.embedder, list(dict.fromkeys(wanted)))
        return tuple(fact if fact.vector else replace(fact, vector=self.known.get(fact.text)) for fact in facts)

    def _ask(self, embedder: Embedder, texts: list[str]) -> None:
        try:
            vectors = embedder.passages(texts, seconds_left=min(_SECONDS, self.deadline.seconds_left))
        except (Unavailable, ModelRejected) as error:
            self.missed = True
            self.telemetry.warning("facts are stored without vectors", error_type=kind_of(error))
        else:
            self.known |= dict(zip(texts, vectors, strict=True))
