"""Everything that was logged and counted, to be looked at."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.contracts.metrics import registered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from context_memory.domain.ids import UserKey

_about: ContextVar[UserKey | None] = ContextVar("about", default=None)


@dataclass(frozen=True, slots=True)
class Line:
    """One logged line."""

    level: str
    phrase: str
    fields: Mapping[str, str | float | bool | None]


@dataclass(frozen=True, slots=True)
class Count:
    """One addition to a metric."""

    metric: str
    value: float
    dimensions: Mapping[str, str]


@dataclass(slots=True)
class RecordingTelemetry:
    """`Telemetry` that keeps its lines and counts in order."""

    lines: list[Line] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)

    @contextmanager
    def about(self, user: UserKey) -> Iterator[None]:
        """Lines that are kept inside, in this thread, say whom they are about."""
        before = _about.set(user)
        try:
            yield
        finally:
            _about.reset(before)

    def event(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Keep one line."""
        self.lines.append(Line("info", phrase, fields | self._whom()))

    def warning(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Keep one line that somebody should look at."""
        self.lines.append(Line("warning", phrase, fields | self._whom()))

    def count(self, metric: str, value: float = 1, **dimensions: str) -> None:
        """Keep one addition.

        Raises:
            UnknownMetric: a metric, a dimension or a value that the registry does not know.
        """
        registered(metric).check(dimensions)
        self.counts.append(Count(metric, value, dimensions))

    def count_all(self, figures: Mapping[str, float], **dimensions: str) -> None:
        """Keep several additions, as `count` does."""
        for metric, value in figures.items():
            self.count(metric, value, **dimensions)

    def total(self, metric: str, **dimensions: str) -> float:
        """Sum of what was counted under `metric` with at least these dimensions."""
        wanted = dimensions.items()
        return sum(one.value for one in self.counts if one.metric == metric and wanted <= one.dimensions.items())

    def _whom(self) -> dict[str, str]:
        user = _about.get()
        return {} if user is None else {"user": stand_in(user)}


def stand_in(user: UserKey) -> str:
    """What lines here call a user: a hash that, unlike a real one, nobody has to fetch a key for."""
    return hashlib.sha256(user.partition.encode()).hexdigest()[:16]
