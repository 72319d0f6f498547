"""The stored facts that a model should see: those nearest to what the user said, and of the rest the most valuable.

What is contradicted need not share a word with what contradicts it ("Works at Acme.", "I joined Globex").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import ModelRejected, Unavailable, kind_of
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.worth import by_worth
from context_memory.ports.recall import IndexedScope, Query

if TYPE_CHECKING:
    from context_memory.application.asking.deadline import Deadline
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import Facts
    from context_memory.ports.recall import Embedder, Indexes
    from context_memory.ports.telemetry import Telemetry

SHOWN = 12
_LONGEST_QUERY = 2_000
"""Characters of what was said by which facts are looked for."""
_EMBEDDING_SECONDS = 5.0
"""What a vector may take: words alone find most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """Looks facts up; `embedder` is None where no embedding model is configured."""

    indexes: Indexes
    embedder: Embedder | None
    telemetry: Telemetry

    def __call__(self, user: UserKey, stored: Facts, said: str, deadline: Deadline) -> tuple[Fact, ...]:
        """At most `SHOWN` of the user's own facts, the nearest first."""
        if len(stored.facts) <= SHOWN:
            return stored.facts
        own = UserScope(user)
        index = self.indexes.over([IndexedScope(own, stored.head.version, stored.facts, epoch=stored.facts[0].epoch)])
        query = Query(text=said[:_LONGEST_QUERY], vector=self._vector(said, deadline), limit=SHOWN)
        found = {match.fact.id: match.fact for match in index.search(query)}
        rest = [fact for fact in reversed(by_worth(stored.facts)) if fact.id not in found]
        return (*found.values(), *rest)[:SHOWN]

    def _vector(self, said: str, deadline: Deadline) -> Vector | None:
        if self.embedder is None:
            return None
        seconds = min(_EMBEDDING_SECONDS, deadline.seconds_left)
        try:
            return self.embedder.query(said[:_LONGEST_QUERY], seconds_left=seconds)
        except (Unavailable, ModelRejected) as error:
            self.telemetry.warning("facts are looked up without vectors", error_type=kind_of(error))
            return None
