"""Embeddings by hashed words: texts that share words are near each other, in every run alike."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from context_memory.domain.facts.vectors import quantised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.facts.vectors import Vector

_DIMENSIONS = 64


class InMemoryEmbedder:
    """`Embedder`.

    Args:
        steps: where a test may come in (`embedder.passages`, `embedder.query`).
        model: the name that vectors carry.
    """

    def __init__(self, *, steps: Steps, model: str = "hashed-words") -> None:
        self._steps = steps
        self.model = model

    def passages(self, texts: Sequence[str], *, seconds_left: float) -> Sequence[Vector]:  # noqa: ARG002 - it takes no time
        """Vectors of texts that are to be found."""
        with self._steps.step("embedder.passages"):
            return [quantised(self.model, hashed_words(text)) for text in texts]

    def query(self, text: str, *, seconds_left: float) -> Vector:  # noqa: ARG002 - it takes no time
        """Vector of what is looked for."""
        with self._steps.step("embedder.query"):
            return quantised(self.model, hashed_words(text))


def hashed_words(text: str) -> list[float]:
    """A vector with a component more or less for each word, so that nothing but shared words makes texts alike."""
    components = [0.0] * _DIMENSIONS
    for word in text.casefold().split() or [""]:
        digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
        components[digest[0] % _DIMENSIONS] += 1 if digest[1] % 2 else -1
    return components
