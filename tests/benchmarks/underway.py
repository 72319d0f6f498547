"""For how long AWS clients were at work: the time in which at least one call was under way."""

from __future__ import annotations

import time
from threading import Lock
from typing import Any


class Underway:
    """Listens to clients' events; calls of several threads may overlap.

    A call is under way from the moment its parameters are handed over until its answer is parsed. An object's body is
    read after that.
    """

    def __init__(self, *clients: Any) -> None:  # noqa: ANN401 - clients of any service
        self._lock = Lock()
        self._calls = 0
        self._since = 0.0
        self._seconds = 0.0
        for client in clients:
            client.meta.events.register_first("provide-client-params", self._begin)
            client.meta.events.register_last("after-call", self._end)

    def taken(self) -> float:
        """Seconds since this was asked last; none may be under way."""
        with self._lock:
            assert self._calls == 0
            seconds, self._seconds = self._seconds, 0.0
            return seconds

    def _begin(self, **_: object) -> None:
        with self._lock:
            self._calls += 1
            if self._calls == 1:
                self._since = time.perf_counter()

    def _end(self, **_: object) -> None:
        with self._lock:
            self._calls -= 1
            if self._calls == 0:
                self._seconds += time.perf_counter() - self._since
