"""What is to be unlearned: changes by where they were learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from context_memory.domain.operations import Operation
    from context_memory.domain.revision import Revision

type Condemned = Callable[[Revision, Operation], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condemnation:
    """What is to be unlearned: all that fits every criterion which is given; an empty one is not given.

    Attributes:
        since: turns that happened at or after.
        until: turns that happened before.
    """

    turn_ids: frozenset[str] = frozenset()
    chat_ids: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    models: frozenset[str] = frozenset()
    prompt_versions: frozenset[str] = frozenset()

    def __call__(self, revision: Revision, operation: Operation) -> bool:
        """Whether an operation of a revision was learned from what is condemned."""
        if self.models and revision.model not in self.models:
            return False
        if self.prompt_versions and revision.prompt_version not in self.prompt_versions:
            return False
        if not (self.turn_ids or self.chat_ids or self.since or self.until):
            return bool(self.models or self.prompt_versions)
        own = [one for one in revision.sources if operation.turn_id in {None, one.turn_id}]
        # Revisions of older releases do not say when their turns happened: it was not long before they were written.
        return any(self.names(one.turn_id, one.chat_id, one.occurred_at or revision.written_at) for one in own)

    def names(self, turn_id: str, chat_id: str | None, happened: datetime) -> bool:
        """Whether a turn is one of those that are condemned."""
        return (
            (not self.turn_ids or turn_id in self.turn_ids)
            and (not self.chat_ids or chat_id in self.chat_ids)
            and (self.since is None or self.since <= happened)
            and (self.until is None or happened < self.until)
        )
