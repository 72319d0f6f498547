"""The vector of a query, asked for beside the reads: whoever waits for facts does not wait long for an endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError, ModelUnavailable, kind_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from context_memory.domain.facts.vectors import Vector
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

MOST_SECONDS = 0.8
"""How long a recall waits for the vector of its query, counted from the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVectors:
    """Asks the endpoint, where the environment has one."""

    embedder: Embedder | None
    executor: Executor
    clock: Clock
    telemetry: Telemetry
    most_seconds: float = MOST_SECONDS

    def ahead(self, text: str) -> AskedVector | None:
        """Begin to ask; None where there is no endpoint, or nothing to ask for."""
        if self.embedder is None or not text.strip():
            return None
        asked = self.executor.submit(self.embedder.query, text, seconds_left=self.most_seconds)
        return AskedVector(asked, self.clock.monotonic() + self.most_seconds, self.clock, self.telemetry)


@dataclass(frozen=True, slots=True)
class AskedVector:
    """A vector that was asked for."""

    _asked: Future[Vector]
    _until: float
    _clock: Clock
    _telemetry: Telemetry

    def result(self) -> Vector | None:
        """The vector; None where the endpoint did not answer in time, or not with one: words find facts, too."""
        try:
            vector = self._asked.result(timeout=max(self._until - self._clock.monotonic(), 0))
        except TimeoutError:
            self._fault(ModelUnavailable("The endpoint of embeddings did not answer in time."))
        except ContextMemoryError as error:
            self._fault(error)
        else:
            self._telemetry.count("embedding_total", outcome="success")
            return vector
        return None

    def _fault(self, error: ContextMemoryError) -> None:
        self._telemetry.warning("recalled without vectors", error_type=type(error).__name__)
        self._telemetry.count("embedding_total", outcome="error")
        self._telemetry.count("errors_total", stage="embedding", error_type=kind_of(error))
