"""Taking the merge of a fact back: the facts stand again that it was made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.expecting import expected_version
from context_memory.application.facts.keeping import TRIES
from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.errors import Contended, InvalidInput, UnknownFact
from context_memory.domain.facts.admitting import Unfit, Written
from context_memory.domain.facts.compacting.parting import parted
from context_memory.ports.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.facts.shelves import Shelf, Standing
    from context_memory.application.facts.vectors import Vectors
    from context_memory.domain.facts.fact import Fact
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_EMBEDDING_SECONDS = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """The use case behind `…/facts/{fact_id}/expand`."""

    vectors: Vectors
    clock: Clock
    telemetry: Telemetry

    def __call__(self, shelf: Shelf, one: str, *, expected: frozenset[str] | None = None) -> Facts:
        """Part a merged fact, and tell what stands in its place.

        What was forgotten or deleted since does not come back, nor what the user does not want remembered by now.

        Raises:
            UnknownFact: no such fact stands, or it stands for no others (any more).
            InvalidInput: the user has too many facts for it.
            VersionConflict: none of the expected versions stands.
            MemorySwitchedOff, EraseRunning, Contended, Unavailable.
        """
        for _ in range(TRIES):
            try:
                return self._part(shelf, one, expected)
            except Overtaken:
                continue
        raise Contended("Others keep changing these facts.")

    def _part(self, shelf: Shelf, one: str, expected: frozenset[str] | None) -> Facts:
        standing, now = shelf.look((one,)), self.clock.now()
        found = standing.fact(one)
        apart = parted(found, _by_id(standing), _lost(standing), now) if found else None
        if apart is None:
            raise UnknownFact("No such merged fact.")
        expected_version(expected, lambda: standing.facts.head.version)
        if standing.count_after(apart.puts, apart.drops) > standing.cap:
            raise InvalidInput("fact_id", f"must wait until other facts go: at most {standing.cap} are kept")
        puts = self.vectors(apart.puts, seconds=_EMBEDDING_SECONDS)
        head = shelf.write(standing, puts, apart.drops, at=now)
        self.telemetry.count("facts_written_total", len(puts), result="added")
        return Facts(head, tuple(puts))


def _by_id(standing: Standing) -> dict[str, Fact]:
    return {fact.id: fact for fact in standing.facts.facts}


def _lost(standing: Standing) -> Callable[[str], bool]:
    return lambda text: isinstance(standing.gate.admit(Written(text=text)), Unfit)
