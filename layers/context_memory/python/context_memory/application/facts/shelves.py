"""Where facts stand that people write: one user's, or a scope that a company shares.

A shelf is looked at before each write, and a write over anything else than what was seen is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from context_memory.domain.errors import MemorySwitchedOff
from context_memory.ports.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.facts.admitting import FactGate
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.ports.facts import FactsHead


class Overtaken(Exception):
    """Somebody else wrote first; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What was seen of a shelf, and what holds for whoever writes to it.

    Attributes:
        facts: all of them, or of shared ones those that were asked for; the head tells of all.
        cap: how many there may be.
        epoch: of the user's memory; 0 of shared scopes.
        rules: the count of the user's rules; None of shared scopes, which know none.
    """

    facts: Facts
    cap: int
    gate: FactGate
    epoch: int = 0
    rules: int | None = None

    def fact(self, one: str) -> Fact | None:
        """The fact of that id, None where it does not stand."""
        return next((fact for fact in self.facts.facts if fact.id == one), None)

    def count_after(self, puts: Iterable[Fact], drops: Iterable[str]) -> int:
        """How many facts the scope has once some are put and others dropped; all of them have been looked for."""
        known = {fact.id for fact in self.facts.facts}
        return self.facts.head.count + len({fact.id for fact in puts} - known) - len(known & frozenset(drops))

    def with_facts(self, head: FactsHead, puts: Iterable[Fact]) -> Standing:
        """What stands after these were put."""
        by_id = {fact.id: fact for fact in (*self.facts.facts, *puts)}
        return replace(self, facts=Facts(head, tuple(by_id.values())))


class Shelf(Protocol):
    """Facts of one scope. Every method raises `Unavailable` where a store is out of reach."""

    @property
    def scope(self) -> FactScope:
        """Whose they are."""

    @property
    def keeps_history(self) -> bool:
        """Whether facts remember what they said before."""

    def named(self, text: str) -> str:
        """The id of the fact that a text becomes."""

    def one(self, one: str) -> Facts:
        """The head, and the fact of that id if it stands."""

    def page(self, *, after: str | None, limit: int, tier: Tier | None) -> Facts:
        """The head, and at most `limit` facts behind the id `after`, in the order of their ids."""

    def look(self, ids: Iterable[str]) -> Standing:
        """What stands; at least the facts of these ids.

        Raises:
            MemorySwitchedOff, EraseRunning: there is nothing to write to.
        """

    def write(self, standing: Standing, puts: Sequence[Fact], drops: frozenset[str], *, at: datetime) -> FactsHead:
        """Put and drop facts over what was seen, and tell the new head.

        Raises:
            Overtaken: something else stands by now.
        """

    def forget(self, standing: Standing, texts: Iterable[str], at: datetime) -> None:
        """Let nothing older bring these texts back; asked before they go."""

    def told(self, texts: Iterable[str], at: datetime) -> None:
        """These texts were given anew: whatever forgot them before counts no more."""


def check_open(company: StoredSettings) -> None:
    """Let pass what is written to a company that is not being erased.

    Raises:
        MemorySwitchedOff: it was closed for that.
    """
    if company.closed:
        raise MemorySwitchedOff("The company was closed to be erased.")
