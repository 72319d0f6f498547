"""News of a memory, for whoever listens: ids, outcome and counts, never text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.operations import OperationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from context_memory.domain.ids import UserKey
    from context_memory.domain.operations import Operation
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.writers import Writer


class NewsKind(StrEnum):
    """What a listener can subscribe to; the values are the detail types of the events."""

    UPDATED = "MemoryUpdated"
    UNCHANGED = "MemoryUnchanged"
    FAILED = "MemoryUpdateFailed"
    ERASED = "MemoryErased"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One piece of news of one user. It may come more than once, and pieces may overtake each other.

    Attributes:
        epoch: the epoch that it is about; of an erase the one that it opened.
        at: aware time of what it tells.
        turn_ids: the turns that ended; empty where no turn did.
        outcome: how they ended; None for a turn that was given up, and where no turn ended.
        reason: why, in a constant of ours.
        writer: who made the stored change; None where nothing was stored.
        revision: its number.
        counts: how many of what, by names of ours: bullets added, changed and removed, or what an erase removed.
        step: what an orchestrator can show of it (application/steps.py); None where there is nothing to show.
    """

    kind: NewsKind
    user: UserKey
    epoch: int
    at: datetime
    turn_ids: tuple[str, ...] = ()
    outcome: Outcome | None = None
    reason: str | None = None
    writer: Writer | None = None
    revision: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    step: Mapping[str, object] | None = None


def counts_of(operations: Iterable[Operation]) -> Mapping[str, int]:
    """How many bullets were added, changed and removed."""
    counted = Counter(operation.kind for operation in operations)
    return {kind.value: counted[kind] for kind in OperationKind}
