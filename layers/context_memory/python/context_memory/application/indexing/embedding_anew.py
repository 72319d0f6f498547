"""Gives facts vectors of the embedding model in force: those that have none, and those that another model made.

Until then they are found by their words: vectors of different models are never compared. Which facts wait is read from
the facts themselves, so that a run that dies loses nothing and the next one goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, VersionConflict
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import FactsChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import Facts, FactsHead, FactStore, SharedFacts
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock

FACTS_AT_ONCE = 64
"""Facts of one write, and of one request to the endpoint."""
SHORTEST_SECONDS = 5.0
"""What must be left of the time for another stretch: an endpoint's answer, and a write."""


def waiting(facts: Iterable[Fact], model: str) -> list[Fact]:
    """Facts without a vector of this model."""
    return [fact for fact in facts if fact.vector is None or fact.vector.model != model]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedAnew:
    """Walks the facts of a scope, a stretch at a time."""

    embedder: Embedder
    facts: FactStore
    shared_facts: SharedFacts
    clock: Clock

    def of_user(self, user: UserKey, epoch: int, seconds: float) -> bool:
        """Embed a user's facts of this epoch.

        Returns:
            Whether none waits any more; if not, the time was up or others were writing: it goes on another time.

        Raises:
            Unavailable: the endpoint or the store; what was embedded is kept.
            ModelRejected: the model refuses a text.
            CommitRefused: memory was switched off or erased meanwhile.
        """

        def write(base: FactsHead, puts: Sequence[Fact]) -> None:
            change = FactsChange(
                user=user, base=base, epoch=epoch, at=self.clock.now(), puts=tuple(puts), count=base.count
            )
            try:
                self.facts.change(change)
            except CommitRefused as error:
                if error.clauses != {"facts"}:
                    raise
                raise VersionConflict(base.version) from error

        return self._walk(lambda: self.facts.facts(user, UserScope(user)), write, seconds)

    def of_shared(self, scope: SharedScope, seconds: float) -> bool:
        """Embed the facts of a space or of a company; returns and raises as `of_user`."""

        def write(base: FactsHead, puts: Sequence[Fact]) -> None:
            self.shared_facts.change(scope, base, puts, (), count=base.count)

        return self._walk(lambda: self.shared_facts.facts(scope), write, seconds)

    def _walk(
        self, read: Callable[[], Facts], write: Callable[[FactsHead, Sequence[Fact]], None], seconds: float
    ) -> bool:
        until = self.clock.monotonic() + seconds
        while (left := until - self.clock.monotonic()) >= SHORTEST_SECONDS:
            found = read()
            stretch = waiting(found.facts, self.embedder.model)[:FACTS_AT_ONCE]
            if not stretch:
                return True
            vectors = self.embedder.passages([fact.text for fact in stretch], seconds_left=left)
            embedded = [replace(fact, vector=vector) for fact, vector in zip(stretch, vectors, strict=True)]
            try:
                write(found.head, embedded)
            except VersionConflict:
                continue  # somebody else wrote first: what waits now is read again
        return False
