"""Everything that was logged and counted, to be looked at."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from context_memory.domain.ids import UserKey


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
    _user: UserKey | None = field(default=None, repr=False)

    @contextmanager
    def about(self, user: UserKey) -> Iterator[None]:
        """Lines that are kept inside say whom they are about."""
        before, self._user = self._user, user
        try:
            yield
        finally:
            self._user = before

    def event(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Keep one line."""
        self.lines.append(Line("info", phrase, fields | self._whom()))

    def warning(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Keep one line that somebody should look at."""
        self.lines.append(Line("warning", phrase, fields | self._whom()))

    def count(self, metric: str, value: float = 1, **dimensions: str) -> None:
        """Keep one addition."""
        self.counts.append(Count(metric, value, dimensions))

    def total(self, metric: str, **dimensions: str) -> float:
        """Sum of what was counted under `metric` with at least these dimensions."""
        wanted = dimensions.items()
        return sum(one.value for one in self.counts if one.metric == metric and wanted <= one.dimensions.items())

    def _whom(self) -> dict[str, str]:
        return {} if self._user is None else {"user": stand_in(self._user)}


def stand_in(user: UserKey) -> str:
    """What lines here call a user: a hash that, unlike a real one, nobody has to fetch a key for."""
    return hashlib.sha256(user.partition.encode()).hexdigest()[:16]
