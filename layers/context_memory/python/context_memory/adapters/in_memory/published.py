"""An index outside of the process, kept as the facts that it was made of."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.ports.indexes import IndexChange
    from context_memory.ports.recall import IndexedScope


class InMemoryPublishedIndex:
    """`PublishedIndex`; `published` tells the version and facts of each scope."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._lock = Lock()
        self.published: dict[FactScope, tuple[tuple[int, int], dict[str, Fact]]] = {}

    def change(self, change: IndexChange) -> bool:
        """Bring one write in; False where it was made of facts that are not these."""
        with self._steps.step("published.change"), self._lock:
            version, facts = self.published.get(change.scope, ((-1, -1), {}))
            if version >= (change.epoch, change.version):
                return True
            if version != (change.epoch, change.base):
                return False
            kept = {name: fact for name, fact in facts.items() if name not in change.drops}
            kept |= {fact.id: fact for fact in change.puts}
            self.published[change.scope] = (change.epoch, change.version), kept
            return True

    def replace(self, scope: IndexedScope) -> None:
        """Keep all facts of a scope, unless newer ones are kept."""
        with self._steps.step("published.replace"), self._lock:
            version = scope.epoch, scope.version
            if version > self.published.get(scope.scope, ((-1, -1), {}))[0]:
                self.published[scope.scope] = version, {fact.id: fact for fact in scope.facts}
