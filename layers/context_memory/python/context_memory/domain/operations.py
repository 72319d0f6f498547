"""What a stored change did, bullet by bullet: computed by code, kept with the revision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.profile import Section


class OperationKind(StrEnum):
    """The three things that can happen to a bullet."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Operation:
    """One bullet's change; `before` is None when added, `after` is None when removed.

    `turn_id` is the turn it rests on, where several turns made one change together.
    """

    kind: OperationKind
    section: Section
    before: str | None
    after: str | None
    turn_id: str | None = None
