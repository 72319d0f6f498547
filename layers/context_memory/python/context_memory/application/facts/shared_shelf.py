"""The shelf of facts that a space or a whole company shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.facts.shelves import Overtaken, Standing, check_open
from context_memory.domain.errors import VersionConflict
from context_memory.domain.facts.admitting import FactGate, cleaned
from context_memory.domain.facts.fact import fact_id
from context_memory.ports.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.ports.facts import FactsHead, SharedFacts

MOST_SHARED = 100_000
"""Facts of a shared scope: so many can be looked up in good time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedShelf:
    """Facts of a space or of the whole company: nobody's own, so that no user's wish is about them."""

    scope: SharedScope
    store: SharedFacts
    company: Callable[[str], StoredSettings]
    own_sentences: Callable[[], frozenset[str]]

    @property
    def keeps_history(self) -> bool:
        """Nothing is learned there that would have to be taken back."""
        return False

    def named(self, text: str) -> str:
        """The id of the fact that a text becomes."""
        return fact_id(self.scope, cleaned(text, own_links=True) or text)

    def one(self, one: str) -> Facts:
        """The head, and the fact of that id if it stands."""
        stored = self.store.some(self.scope, (one,))
        return Facts(stored.head, tuple(fact for fact in stored.facts if fact.id == one))

    def page(self, *, after: str | None, limit: int, tier: Tier | None) -> Facts:
        """A page of what counts."""
        return self.store.page(self.scope, after=after, limit=limit, tier=tier)

    def look(self, ids: Iterable[str]) -> Standing:
        """Those that were asked for: there may be very many."""
        check_open(self.company(self.scope.company_id))
        gate = FactGate(own_sentences=self.own_sentences(), own_links=True)
        return Standing(facts=self.store.some(self.scope, ids), cap=MOST_SHARED, gate=gate)

    def write(self, standing: Standing, puts: Sequence[Fact], drops: frozenset[str], *, at: datetime) -> FactsHead:
        """One transaction; the store has its own clock."""
        del at
        count = standing.count_after(puts, drops)
        try:
            return self.store.change(self.scope, standing.facts.head, puts, drops, count=count)
        except VersionConflict as clash:
            raise Overtaken from clash

    def forget(self, standing: Standing, texts: Iterable[str], at: datetime) -> None:
        """No turn writes here."""

    def told(self, texts: Iterable[str], at: datetime) -> None:
        """Nothing is ever forgotten here."""
