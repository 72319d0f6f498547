"""Gives facts vectors of the embedding model in force: those that have none, and those that another model made.

Until then they are found by their words: vectors of different models are never compared. Which facts wait is read from
the facts themselves, so that a run that dies loses nothing and the next one goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, ModelRejected, VersionConflict
from context_memory.domain.facts.embedding import waiting
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import FactsChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import Facts, FactsHead, FactStore, SharedFacts
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

FACTS_AT_ONCE = 64
"""Facts of one write, and of one request to the endpoint."""
SHORTEST_SECONDS = 5.0
"""What must be left of the time for another stretch: an endpoint's answer, and a write."""

type Write = Callable[[FactsHead, Sequence[Fact]], FactsHead]
"""Stores facts over a head, and tells the new one; raises `VersionConflict` where another stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedAnew:
    """Walks the facts of a scope, a stretch at a time."""

    embedder: Embedder
    facts: FactStore
    shared_facts: SharedFacts
    clock: Clock
    telemetry: Telemetry

    def of_user(self, user: UserKey, epoch: int, seconds: float) -> bool:
        """Embed a user's facts of this epoch.

        Returns:
            Whether all is done that can be; if not, the time was up or others were writing: it goes on another time.
            A fact that the model refuses stays as it is.

        Raises:
            Unavailable: the endpoint or the store; what was embedded is kept.
            CommitRefused: memory was switched off or erased meanwhile.
        """

        def write(base: FactsHead, puts: Sequence[Fact]) -> FactsHead:
            now = self.clock.now()
            change = FactsChange(user=user, base=base, epoch=epoch, at=now, puts=tuple(puts), count=base.count)
            try:
                self.facts.change(change)
            except CommitRefused as error:
                if error.clauses != {"facts"}:
                    raise
                raise VersionConflict(base.version) from error
            return base.following(base.count, now)

        return self._walk(lambda: self.facts.facts(user, UserScope(user)), write, seconds)

    def of_shared(self, scope: SharedScope, seconds: float) -> bool:
        """Embed the facts of a space or of a company; returns and raises as `of_user`."""

        def write(base: FactsHead, puts: Sequence[Fact]) -> FactsHead:
            return self.shared_facts.change(scope, base, puts, (), count=base.count)

        return self._walk(lambda: self.shared_facts.facts(scope), write, seconds)

    def _walk(self, read: Callable[[], Facts], write: Write, seconds: float) -> bool:
        """Read all facts once, and again only where somebody else wrote meanwhile."""
        until, refused = self.clock.monotonic() + seconds, set[str]()
        while self._has_time(until):
            found = read()
            wait = [fact for fact in waiting(found.facts, self.embedder.model) if fact.id not in refused]
            if self._embed(found.head, wait, write, until, refused):
                return True
        return False

    def _embed(self, head: FactsHead, facts: Sequence[Fact], write: Write, until: float, refused: set[str]) -> bool:
        """Whether all of these are embedded, or refused."""
        for stretch in batched(facts, FACTS_AT_ONCE, strict=False):
            if not self._has_time(until):
                return False
            embedded = list(self._embedded(stretch, until))
            refused |= {fact.id for fact in stretch} - {fact.id for fact in embedded}
            try:
                head = write(head, embedded) if embedded else head
            except VersionConflict:
                return False  # somebody else wrote first: what waits now is read again
        return True

    def _embedded(self, facts: Sequence[Fact], until: float) -> Iterator[Fact]:
        """The facts with their vectors; without those that the model refuses, which keep no other from theirs."""
        try:
            vectors = self.embedder.passages([fact.text for fact in facts], seconds_left=until - self.clock.monotonic())
        except ModelRejected:
            if len(facts) == 1:
                self.telemetry.warning("the embedding model refuses a fact")
                self.telemetry.count("embedding_total", outcome="error")
                return
            for fact in facts:
                yield from self._embedded([fact], until)
        except Exception:
            self.telemetry.count("embedding_total", outcome="error")
            raise
        else:
            self.telemetry.count("embedding_total", outcome="success")
            for fact, vector in zip(facts, vectors, strict=True):
                yield replace(fact, vector=vector)

    def _has_time(self, until: float) -> bool:
        return until - self.clock.monotonic() >= SHORTEST_SECONDS
