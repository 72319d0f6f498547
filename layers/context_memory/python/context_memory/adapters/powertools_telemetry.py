"""Log lines and metrics over Powertools: JSON lines and CloudWatch's embedded metric format, both on stdout.

Every metric is written when it is counted, so that a function that is cut off later has said what it did.
"""

from __future__ import annotations

import json
import logging
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from context_memory.adapters.pseudonyms import UNKNOWN, pseudonym
from context_memory.contracts.metrics import WHOLE_SERVICE, registered
from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import Hasher

USER = "user"
"""Field that says whom a line is about."""
_about: ContextVar[UserKey | None] = ContextVar("about", default=None)

# What a log record has anyway: a field of that name would make `logging` raise, or replace what Powertools writes.
_WRITTEN_ANYWAY = frozenset({"message", "asctime", "level", "location", "timestamp", "service"})
_RESERVED = frozenset(vars(logging.makeLogRecord({}))) | _WRITTEN_ANYWAY
_OUR_CALLER = 3  # frames between Powertools and whoever called `event` or `warning`


class PowertoolsTelemetry:
    """The `Telemetry` of one function.

    Args:
        service: the function's name, a field of every line and a dimension of every metric.
        namespace: where its metrics are counted; each environment has one of its own.
        hasher: makes the hashes that stand for users; without one, or while it fails, lines say `unknown`.
        level: lowest level that is written; None leaves it to the logger's own environment variable.
        stream: where log lines go; None is stdout.
    """

    def __init__(
        self,
        *,
        service: str,
        namespace: str,
        hasher: Hasher | None = None,
        level: str | None = None,
        stream: IO[str] | None = None,
    ) -> None:
        self._service = service
        self._namespace = namespace
        self._hasher = hasher
        self._logger = Logger(service=service, level=level, stream=stream, utc=True, use_rfc3339=True)

    @contextmanager
    def about(self, user: UserKey) -> Iterator[None]:
        """Lines that are logged inside, in this thread, say whom they are about; nothing is hashed before one is."""
        before = _about.set(user)
        try:
            yield
        finally:
            _about.reset(before)

    def event(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line."""
        self._logger.info(phrase, extra=_unreserved(fields) | self._whom(), stacklevel=_OUR_CALLER)

    def warning(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line that somebody should look at."""
        self._logger.warning(phrase, extra=_unreserved(fields) | self._whom(), stacklevel=_OUR_CALLER)

    def count(self, metric: str, value: float = 1, **dimensions: str) -> None:
        """Add to a counter or a distribution; the registry tells its unit."""
        self.count_all({metric: value}, **dimensions)

    def count_all(self, figures: Mapping[str, float], **dimensions: str) -> None:
        """As `count`, for several metrics of the same dimensions, and the same service, in one line."""
        written = EphemeralMetrics(namespace=self._namespace)
        service = self._service
        for metric, value in figures.items():
            known = registered(metric)
            service = WHOLE_SERVICE if known.whole else service
            written.add_metric(metric, MetricUnit(known.unit), value)
        for name, dimension in {"service": service, **dimensions}.items():
            written.add_dimension(name, dimension)
        # One write, so that no other thread's line can come between a line and its end.
        sys.stdout.write(f"{json.dumps(written.serialize_metric_set(), separators=(',', ':'))}\n")

    def _whom(self) -> dict[str, str | float | bool | None]:
        user = _about.get()
        if user is None:
            return {}
        try:
            known = pseudonym(self._hasher, user) if self._hasher else UNKNOWN
        except Unavailable:
            known = UNKNOWN
        return {USER: known}


def _unreserved(fields: dict[str, str | float | bool | None]) -> dict[str, str | float | bool | None]:
    return {f"{name}_" if name in _RESERVED else name: value for name, value in fields.items()}
