"""Facts of spaces and of companies."""

from __future__ import annotations

from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import VersionConflict
from context_memory.ports.facts import Facts, FactsHead, checked_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.adapters.in_memory.system import ManualClock
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.domain.facts.scopes import SharedScope


class InMemorySharedFacts:
    """`SharedFacts`; the port says what each method promises."""

    def __init__(self, *, steps: Steps, clock: ManualClock) -> None:
        self._steps = steps
        self._clock = clock
        self._heads: dict[SharedScope, FactsHead] = {}
        self._facts: dict[SharedScope, dict[str, Fact]] = {}
        self._lock = Lock()

    def head(self, scope: SharedScope) -> FactsHead:
        """The head of a scope."""
        with self._steps.step("shared_facts.head"), self._lock:
            return self._heads.get(scope, FactsHead())

    def facts(self, scope: SharedScope) -> Facts:
        """Head and facts of a scope."""
        with self._steps.step("shared_facts.facts"), self._lock:
            facts = self._facts.get(scope, {})
            return Facts(self._heads.get(scope, FactsHead()), tuple(facts[one] for one in sorted(facts)))

    def some(self, scope: SharedScope, ids: Iterable[str]) -> Facts:
        """The head, and those of these facts that stand."""
        wanted, stored = frozenset(ids), self.facts(scope)
        return Facts(stored.head, tuple(fact for fact in stored.facts if fact.id in wanted))

    def page(self, scope: SharedScope, *, after: str | None, limit: int, tier: Tier | None = None) -> Facts:
        """The head, and a page of facts."""
        stored = self.facts(scope)
        found = (fact for fact in stored.facts if fact.id > (after or "") and tier in {None, fact.tier})
        return Facts(stored.head, tuple(islice(found, limit)))

    def change(
        self, scope: SharedScope, base: FactsHead, puts: Sequence[Fact], drops: Iterable[str], *, count: int
    ) -> FactsHead:
        """Put and drop facts together.

        Raises:
            VersionConflict: another writer came first.
        """
        going = list(drops)
        checked_changes(puts, going)
        with self._steps.step("shared_facts.change"), self._lock:
            head = self._heads.get(scope, FactsHead())
            if head != base:
                raise VersionConflict(head.version)
            facts = self._facts.setdefault(scope, {})
            facts.update({fact.id: fact for fact in puts})
            for one in going:
                facts.pop(one, None)
            self._heads[scope] = base.following(count, self._clock.now())
            return self._heads[scope]

    def scopes(self, company_id: str) -> Sequence[SharedScope]:
        """Scopes of a company in which something stands."""
        with self._steps.step("shared_facts.scopes"), self._lock:
            return [scope for scope in self._heads if scope.company_id == company_id]

    def clear(self, scope: SharedScope) -> int:
        """Remove a scope whole."""
        with self._steps.step("shared_facts.clear"), self._lock:
            self._heads.pop(scope, None)
            return len(self._facts.pop(scope, {}))


class InMemorySharedIndexes:
    """`SharedIndexes`: objects by the company whose they are."""

    def __init__(self, *, steps: Steps) -> None:
        self.objects: dict[str, int] = {}
        self._steps = steps

    def clear(self, company_id: str) -> int:
        """Remove all of them."""
        with self._steps.step("shared_indexes.clear"):
            return self.objects.pop(company_id, 0)
