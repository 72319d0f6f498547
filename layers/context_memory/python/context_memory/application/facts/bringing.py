"""Facts that people bring along in a file: each line is stored, confirms what stands, or is refused with its reason.

A file takes as many transactions as it needs. Whoever is cut off sends it again: what was stored is confirmed then.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.application.facts.keeping import TRIES
from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.errors import Contended
from context_memory.domain.facts.admitting import Unfit
from context_memory.domain.facts.writing import Pen
from context_memory.ports.facts import MOST_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.application.facts.shelves import Shelf, Standing
    from context_memory.application.facts.vectors import Vectors
    from context_memory.domain.facts.admitting import Admissible, FactGate, Written
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.files.lines import Line
    from context_memory.ports.facts import FactsHead
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


class LineResult(StrEnum):
    """What became of a line, or would."""

    STORED = "stored"
    MERGED = "merged"
    """The fact stood already, or came twice; it is confirmed."""
    REFUSED = "refused"


_EMBEDDING_SECONDS = 6.0
"""Of one file: what is left then is stored without vectors."""
_WRITTEN = {LineResult.STORED: "added", LineResult.MERGED: "confirmed", LineResult.REFUSED: "refused"}
"""As metrics count them."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a line: its number, and never what it says."""

    number: int
    result: LineResult
    reason: Unfit | None = None


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of all lines, in their order, and what stands after it."""

    lines: tuple[Told, ...]
    head: FactsHead

    @property
    def counts(self) -> Counter[str]:
        """How many lines came to what."""
        return Counter(line.result.value for line in self.lines)


@dataclass(slots=True)
class _Batch:
    """What one transaction stores, by id, and what it comes to for the lines that it takes."""

    puts: dict[str, Fact] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)

    def take(self, fact: Fact) -> bool:
        """Store a fact with the others, if there is room for it."""
        if fact.id not in self.puts and len(self.puts) == MOST_CHANGES:
            return False
        self.puts[fact.id] = fact
        return True

    def refuse(self, line: Line, reason: Unfit) -> None:
        """Store nothing of a line."""
        self.told.append(Told(line.number, LineResult.REFUSED, reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bringing:
    """The use case behind `POST …/facts/import`; fields as `Keeping` has them."""

    tokens: Callable[[str], int]
    vectors: Vectors
    clock: Clock
    telemetry: Telemetry

    def __call__(self, shelf: Shelf, lines: Sequence[Line], *, preview: bool) -> Brought:
        """Take lines in; a preview says what would become of them, and changes nothing.

        Raises:
            MemorySwitchedOff, EraseRunning: there is nothing to write to.
            Contended, Unavailable: some lines may be stored; the same file can be sent again.
        """
        until = self.clock.monotonic() + _EMBEDDING_SECONDS
        standing, told, failed = self._look(shelf, lines), list[Told](), 0
        while len(told) < len(lines):
            now = self.clock.now()
            batch = self._decide(shelf, standing, lines[len(told) :], now)
            try:
                head = self._planned(standing, batch) if preview else self._store(shelf, standing, batch, now, until)
            except Overtaken as race:
                failed += 1
                if failed == TRIES:
                    raise Contended("Others keep changing these facts.") from race
                standing = self._look(shelf, lines)
                continue
            standing, failed = standing.with_facts(head, batch.puts.values()), 0
            told += batch.told
        brought = Brought(tuple(told), standing.facts.head)
        if not preview:
            self.telemetry.event("took in a file of facts", **brought.counts)
        return brought

    def _look(self, shelf: Shelf, lines: Sequence[Line]) -> Standing:
        return shelf.look(shelf.named(line.brought.text) for line in lines if not isinstance(line.brought, Unfit))

    def _decide(self, shelf: Shelf, standing: Standing, lines: Sequence[Line], now: datetime) -> _Batch:
        """What becomes of as many lines as one transaction holds."""
        pen = Pen(scope=shelf.scope, epoch=standing.epoch, now=now, tokens=self.tokens)
        facts = {fact.id: fact for fact in standing.facts.facts}
        room, batch = standing.cap - standing.facts.head.count, _Batch()
        for line in lines:
            admitted = _admitted(standing.gate, line)
            if isinstance(admitted, Unfit):
                batch.refuse(line, admitted)
                continue
            new = pen.new(*admitted)
            stands = facts.get(new.id)
            if stands is None and room <= 0:
                batch.refuse(line, Unfit.CAP)
                continue
            fact = pen.confirmed(stands, *admitted) if stands else new
            if fact != stands and not batch.take(fact):
                break
            facts[fact.id] = fact
            room -= stands is None
            batch.told.append(Told(line.number, LineResult.MERGED if stands else LineResult.STORED))
        return batch

    @staticmethod
    def _planned(standing: Standing, batch: _Batch) -> FactsHead:
        """The head as a batch would leave it, but for its version: nothing has changed."""
        return replace(standing.facts.head, count=standing.count_after(batch.puts.values(), ()))

    def _store(self, shelf: Shelf, standing: Standing, batch: _Batch, now: datetime, until: float) -> FactsHead:
        puts, head = list(batch.puts.values()), standing.facts.head
        if puts:
            embedded = self.vectors(puts, seconds=until - self.clock.monotonic())
            head = shelf.write(standing, embedded, frozenset(), at=now)
        for result, number in Counter(_WRITTEN[told.result] for told in batch.told).items():
            self.telemetry.count("facts_written_total", number, result=result)
        return head


def _admitted(gate: FactGate, line: Line) -> tuple[Written, Admissible] | Unfit:
    """What a line brings with what of it may be stored."""
    if isinstance(line.brought, Unfit):
        return line.brought
    admitted = gate.admit(line.brought)
    return admitted if isinstance(admitted, Unfit) else (line.brought, admitted)
