"""Audit records as JSON lines on stdout, told from all others by `"audit": true`.

A subscription of the function's log group takes them to a bucket of their own (docs/decisions/0013).
They are written past the logger: no log level may silence them, and nothing is added to them.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from context_memory.adapters.pseudonyms import UNKNOWN, pseudonym
from context_memory.domain.errors import ContextMemoryError, kind_of

if TYPE_CHECKING:
    from typing import IO

    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Access, Telemetry
    from context_memory.ports.trust import Hasher


class AuditLog:
    """`Audit` over a stream of lines.

    Args:
        hasher: makes the hash that stands for a user; None where no path names one.
        clock: says when a call was answered.
        telemetry: is told when a user could not be hashed.
        stream: where lines go; None is stdout, as it is when a line is written.
    """

    def __init__(
        self, *, hasher: Hasher | None, clock: Clock, telemetry: Telemetry, stream: IO[str] | None = None
    ) -> None:
        self._hasher = hasher
        self._clock = clock
        self._telemetry = telemetry
        self._stream = stream

    def record(self, access: Access) -> None:
        """Write one line. A user who cannot be hashed is `unknown`: the line still says who called, when and what."""
        line = {
            "audit": True,
            "time": self._clock.now().isoformat(timespec="milliseconds"),
            "caller": access.caller,
            "route": access.route,
            "status": access.status,
            "company_id": access.company_id,
            "user": self._hashed(access.user) if access.user else None,
            "request_id": access.request_id,
        }
        # One write, so that nothing else can come between a line and its end.
        (self._stream or sys.stdout).write(f"{json.dumps(line, separators=(',', ':'))}\n")

    def _hashed(self, user: UserKey) -> str:
        if self._hasher is None:
            return UNKNOWN
        try:
            return pseudonym(self._hasher, user)
        except ContextMemoryError as error:
            self._telemetry.count("errors_total", stage="audit", error_type=kind_of(error))
            return UNKNOWN
