"""An embedder that is left alone for some seconds when it has just not answered.

A recall goes by words where there is no vector. It should not wait for one each time while the endpoint is down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.vectors import Vector
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock

SPARED_SECONDS = 10.0
"""How long questions go without a vector after one that got none."""


class SparedEmbedder:
    """An `Embedder` in front of another. Only questions are spared: whoever embeds facts waits and tries again.

    Args:
        embedder: the one that is asked.
        clock: for the seconds that it is left alone.
    """

    def __init__(self, embedder: Embedder, *, clock: Clock) -> None:
        self.model = embedder.model
        self._embedder = embedder
        self._clock = clock
        self._spared_until = float("-inf")

    def passages(self, texts: Sequence[str], *, seconds_left: float) -> Sequence[Vector]:
        """Vectors of texts that are to be found; raises as the one behind it does."""
        return self._embedder.passages(texts, seconds_left=seconds_left)

    def query(self, text: str, *, seconds_left: float) -> Vector:
        """Vector of what is looked for; raises as the one behind it does, and at once while it is spared."""
        if self._clock.monotonic() < self._spared_until:
            raise ModelUnavailable("The model was out of reach just now.")
        try:
            return self._embedder.query(text, seconds_left=seconds_left)
        except ModelUnavailable:
            self._spared_until = self._clock.monotonic() + SPARED_SECONDS
            raise
