"""What follows a write-back: the user's table where a space chose one, and a job for what is left undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.embedding import waiting
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.spaces import Backend
from context_memory.ports.indexes import IndexChange

if TYPE_CHECKING:
    from context_memory.application.extract.work import Work
    from context_memory.application.indexing.publishing import Publishing
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.ports.facts import FactsChange, FactStore

_TABLE_SECONDS = 25.0
"""What must be left of the time to write a table: the function may have to start first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Told of changes that stand; nothing that goes wrong here undoes one.

    `publishing` knows users' tables where the environment has them; `model` is the name that vectors of the model in
    force carry, None where there is none.
    """

    store: FactStore
    publishing: Publishing
    upkeep: Upkeep
    model: str | None

    def __call__(self, work: Work, change: FactsChange) -> None:
        """Bring the change into the table, and ask for whatever could not be done."""
        if not (change.puts or change.drops):
            return
        in_table = not _wants_table(work) or self._brought_in(work, change)
        if not in_table or (self.model is not None and waiting(change.puts, self.model)):
            self.upkeep.of_user(work.user)

    def _brought_in(self, work: Work, change: FactsChange) -> bool:
        if work.deadline.seconds_left < _TABLE_SECONDS:
            return False
        scope = UserScope(work.user)
        written = IndexChange(
            scope=scope,
            base=change.base.version,
            version=change.base.following(change.count, change.at).version,
            puts=change.puts,
            drops=sorted(change.drops),
            epoch=change.epoch,
        )
        return self.publishing.written(written, lambda: self.store.facts(work.user, scope))


def _wants_table(work: Work) -> bool:
    return any(turn.recall.backend is Backend.LANCE for turn in work.turns)
