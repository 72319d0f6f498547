"""Where bullets come from: the revisions read as one weave, in which each text hangs on the texts it came from.

Revisions may be missing at the old end, and texts may have been taken out of them; what cannot be told is left open.
Within a revision a removed bullet that a changed one took in is a merge, and one that stands in another section a move:
both live on. What a restore, an unlearning or a replaced message brings back hangs on what it was, not on what stood
there meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.operations import OperationKind
from context_memory.domain.pairing import Fact, pair
from context_memory.domain.profile import Section, fold
from context_memory.domain.writers import UNLEARNING, Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from context_memory.domain.operations import Operation
    from context_memory.domain.revision import Revision

type Place = tuple[Section, str]
"""A section and a bullet's text, white space folded."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of one revision."""

    revision: Revision
    operation: Operation


@dataclass(frozen=True, slots=True, eq=False)
class Strand:
    """A text from the step that made it until the one that ended it.

    Attributes:
        step: what made it; None where that revision is not known any more.
        parents: the texts that it came from.
        instead_of: the texts that stood in its place; others than its parents where it was brought back.
    """

    section: Section
    text: str
    step: Step | None = None
    parents: tuple[Strand, ...] = ()
    instead_of: tuple[Strand, ...] = ()

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.section, fold(self.text)

    @property
    def chain(self) -> tuple[Step, ...]:
        """Every step that led here, oldest first."""
        found: dict[Strand, None] = {}
        ahead = [self]
        while ahead:
            strand = ahead.pop()
            if strand not in found:
                found[strand] = None
                ahead += strand.parents
        steps = [strand.step for strand in found if strand.step]
        return tuple(sorted(steps, key=lambda step: step.revision.turn_count))


@dataclass(frozen=True, slots=True)
class End:
    """How a text ceased to stand. It is `carried` when it lives on in another text."""

    strand: Strand
    step: Step
    carried: bool


@dataclass(frozen=True, slots=True)
class Lineage:
    """What revisions tell together.

    Attributes:
        strands: every text that ever stood, each after its parents.
        standing: the text that stands at a place.
        ended: how the last text of a place that stands no more ceased to.
    """

    strands: tuple[Strand, ...]
    standing: Mapping[Place, Strand]
    ended: Mapping[Place, End]

    def of(self, section: Section, bullet: str) -> Strand:
        """The strand of a present bullet; one without a step where no revision tells of it."""
        return self.standing.get((section, fold(bullet))) or Strand(section, bullet)


def trace(revisions: Sequence[Revision]) -> Lineage:
    """Read revisions of one epoch, oldest first."""
    weave = _Weave(frozenset(revision.restored for revision in revisions if revision.restored is not None))
    for revision in revisions:
        weave.add(revision)
    ended = {place: end for place, end in weave.ended.items() if place not in weave.standing}
    return Lineage(tuple(weave.strands), weave.standing, ended)


@dataclass(slots=True)
class _Weave:
    """The weave as far as it was read; `remembered` are the numbers of revisions that a later one restores."""

    remembered: frozenset[int]
    strands: list[Strand] = field(default_factory=list)
    standing: dict[Place, Strand] = field(default_factory=dict)
    ended: dict[Place, End] = field(default_factory=dict)
    stood_at: dict[int, Mapping[Place, Strand]] = field(default_factory=dict)

    def add(self, revision: Revision) -> None:
        """Read the next revision: first what it ended, then what it made."""
        before = {
            operation: self._taken(operation.section, operation.before)
            for operation in revision.operations
            if operation.before is not None
        }
        made = [
            self._made(Step(revision, operation), operation.after, tuple(instead_of))
            for operation, instead_of in _replacing(revision.operations, before).items()
            if operation.after is not None
        ]
        carried = {strand for one in made for strand in one.instead_of}
        self.ended |= {
            strand.place: End(strand, Step(revision, operation), strand in carried)
            for operation, strand in before.items()
        }
        self.standing |= {strand.place: strand for strand in made}
        if revision.turn_count in self.remembered:
            self.stood_at[revision.turn_count] = dict(self.standing)

    def _taken(self, section: Section, text: str) -> Strand:
        return self.standing.pop((section, fold(text)), None) or self._kept(Strand(section, text))

    def _made(self, step: Step, text: str, instead_of: tuple[Strand, ...]) -> Strand:
        section = step.operation.section
        returned = self._returned(step, (section, fold(text)))
        parents = (returned,) if returned else instead_of
        return self._kept(Strand(section, text, step, parents, instead_of))

    def _returned(self, step: Step, place: Place) -> Strand | None:
        """The text of old that a step brings back, if it does."""
        revision, end = step.revision, self.ended.get(place)
        if revision.writer is Writer.RESTORE and revision.restored in self.stood_at:
            return self.stood_at[revision.restored].get(place)
        if end is None or revision.writer is Writer.RESTORE or revision.writer in UNLEARNING:
            return end.strand if end else None
        replaced = {source.supersedes_turn_id for source in revision.sources} - {None}
        return end.strand if end.step.operation.turn_id in replaced else None

    def _kept(self, strand: Strand) -> Strand:
        self.strands.append(strand)
        return strand


def _replacing(
    operations: Sequence[Operation], before: Mapping[Operation, Strand]
) -> Mapping[Operation, Sequence[Strand]]:
    """For each operation that makes a text the texts that it stands for."""
    making = [operation for operation in operations if operation.after is not None]
    instead_of = {operation: [before[operation]] if operation in before else [] for operation in making}
    for old, new in (*_moves(making, before), *_merges(making, before)):
        if before[old] not in instead_of[new]:
            instead_of[new].append(before[old])
    return instead_of


def _moves(making: Iterable[Operation], before: Iterable[Operation]) -> Iterator[tuple[Operation, Operation]]:
    """Removed bullets with each addition of the same text in another section."""
    added = [(fold(one.after), one) for one in making if one.kind is OperationKind.ADDED and one.after is not None]
    for old in before:
        if old.kind is OperationKind.REMOVED and old.before is not None:
            yield from ((old, new) for text, new in added if text == fold(old.before))


def _merges(making: Iterable[Operation], before: Iterable[Operation]) -> Iterator[tuple[Operation, Operation]]:
    """Removed bullets with the change that took them in, found by the rules by which the revision was told."""
    for section in Section:
        old = {
            Fact.of(section, at, one.before): one
            for at, one in enumerate(before)
            if one.section is section and one.before is not None
        }
        new = {
            Fact.of(section, at, one.after): one
            for at, one in enumerate(making)
            if one.section is section and one.after is not None
        }
        if any(one.kind is OperationKind.REMOVED for one in old.values()):
            for fact, successor in pair(tuple(old), tuple(new)).partner.items():
                if old[fact].kind is OperationKind.REMOVED and new[successor].kind is OperationKind.CHANGED:
                    yield old[fact], new[successor]
