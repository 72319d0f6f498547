"""The facts of one scope, ready to be found by words and by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.recall.nearest import Vectors
from context_memory.domain.recall.weights import DEFAULT
from context_memory.domain.recall.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.weights import Weights


class ScopeIndex:
    """It never changes, and holds nothing of any other scope: whoever may read the scope may search it.

    Attributes:
        scope: None for facts of a chat.
        facts: the places of all finds are places in these.
        words: what the facts say.
    """

    __slots__ = ("_vectors", "facts", "scope", "words")

    def __init__(self, scope: FactScope | None, facts: Sequence[Fact], weights: Weights = DEFAULT) -> None:
        self.scope = scope
        self.facts = facts
        self.words = Words(facts, weights)
        self._vectors: dict[tuple[str, int], Vectors] = {}

    def vectors(self, model: str, dimensions: int) -> Vectors | None:
        """The vectors of one model and size: those of another say nothing about these. None where there are none."""
        made = model, dimensions
        if made not in self._vectors:
            self._vectors[made] = Vectors(self._made_by(made), dimensions)
        known = self._vectors[made]
        return known if known.places else None

    def _made_by(self, made: tuple[str, int]) -> Iterator[tuple[int, Vector]]:
        for place, fact in enumerate(self.facts):
            if fact.vector is not None and (fact.vector.model, fact.vector.dimensions) == made:
                yield place, fact.vector
