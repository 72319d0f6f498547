"""Everything that was recorded about calls, to be looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.ports.telemetry import Access


@dataclass(slots=True)
class RecordingAudit:
    """`Audit` that keeps its records in order."""

    records: list[Access] = field(default_factory=list)

    def record(self, access: Access) -> None:
        """Keep one record."""
        self.records.append(access)
