"""Reading revisions as one weave of the texts that ever stood.

Revisions may be missing at the old end, and texts may have been taken out of them; what cannot be told is left open.
Within a revision a removed bullet that a changed one took in is a merge, and one that stands in another section a move:
both live on. What a restore, an unlearning or a replaced message brings back hangs on what it was, not on what stood
there meanwhile. What an unlearning took out is worked out again: where one text stood in several sections, nothing else
tells what each stands for after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.clearing import clear
from context_memory.domain.lineage import End, Lineage, Step, Strand
from context_memory.domain.profile import Section, fold
from context_memory.domain.succession import replacing
from context_memory.domain.writers import UNLEARNING, Writer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.domain.lineage import Place
    from context_memory.domain.revision import Revision


def trace(revisions: Sequence[Revision]) -> Lineage:
    """Read revisions of one epoch, oldest first."""
    weave = _Weave(frozenset(revision.restored for revision in revisions if revision.restored is not None))
    for revision in revisions:
        weave.add(revision)
    return weave.lineage


@dataclass(frozen=True, slots=True)
class _Moment:
    """What stood after a revision, and what counted as unlearned then."""

    standing: Mapping[Place, Strand]
    unlearnings: tuple[Revision, ...]


@dataclass(slots=True)
class _Weave:
    """The weave as far as it was read; `remembered` are the numbers of revisions that a later one restores."""

    remembered: frozenset[int]
    strands: list[Strand] = field(default_factory=list)
    standing: dict[Place, Strand] = field(default_factory=dict)
    ended: dict[Place, End] = field(default_factory=dict)
    unlearnings: tuple[Revision, ...] = ()
    stood_at: dict[int, _Moment] = field(default_factory=dict)

    @property
    def lineage(self) -> Lineage:
        """What was read, as it is now."""
        ended = {place: end for place, end in self.ended.items() if place not in self.standing}
        return Lineage(tuple(self.strands), self.standing, ended, self.unlearnings)

    def add(self, revision: Revision) -> None:
        """Read the next revision: first what it ended, then what it made."""
        left = self._left(revision)
        before = {
            operation: self._taken(operation.section, operation.before)
            for operation in revision.operations
            if operation.before is not None
        }
        made = [
            self._made(Step(revision, operation), operation.after, tuple(instead_of), left)
            for operation, instead_of in replacing(revision.operations, before).items()
            if operation.after is not None
        ]
        carried = {strand for one in made for strand in one.instead_of}
        self.ended |= {
            strand.place: End(strand, Step(revision, operation), strand in carried)
            for operation, strand in before.items()
        }
        # What no operation names may stand for something else than before, too.
        untouched = {place: left[place] for place in left.keys() & self.standing.keys()}
        self.standing |= {place: self._kept_for(place, strands) for place, strands in untouched.items()}
        self.standing |= {strand.place: strand for strand in made}
        self._count_unlearnings(revision)
        if revision.turn_count in self.remembered:
            self.stood_at[revision.turn_count] = _Moment(dict(self.standing), self.unlearnings)

    def _left(self, revision: Revision) -> Mapping[Place, tuple[Strand, ...]]:
        """By place the texts that an unlearning let stand, or brought back; none where it does not say what it was."""
        left: dict[Place, dict[Strand, None]] = {}
        if revision.unlearned is not None:
            for strand in clear(self.lineage, self.standing.values(), revision.unlearned):
                left.setdefault(strand.place, {})[strand] = None
        return {place: tuple(strands) for place, strands in left.items()}

    def _kept_for(self, place: Place, strands: tuple[Strand, ...]) -> Strand:
        own = self.standing[place]
        return own if strands == (own,) else self._kept(Strand(own.section, own.text, None, strands, (own,)))

    def _count_unlearnings(self, revision: Revision) -> None:
        if revision.unlearned is not None:
            self.unlearnings += (revision,)
        elif revision.restored is not None:
            then = self.stood_at.get(revision.restored)
            self.unlearnings = then.unlearnings if then else ()

    def _taken(self, section: Section, text: str) -> Strand:
        return self.standing.pop((section, fold(text)), None) or self._kept(Strand(section, text))

    def _made(
        self, step: Step, text: str, instead_of: tuple[Strand, ...], left: Mapping[Place, tuple[Strand, ...]]
    ) -> Strand:
        section = step.operation.section
        place = section, fold(text)
        parents = left.get(place) or self._returned(step, place) or instead_of
        return self._kept(Strand(section, text, step, parents, instead_of))

    def _returned(self, step: Step, place: Place) -> tuple[Strand, ...]:
        """The text of old that a step brings back; none where it brings nothing back."""
        revision, end = step.revision, self.ended.get(place)
        if revision.writer is Writer.RESTORE and revision.restored in self.stood_at:
            then = self.stood_at[revision.restored].standing.get(place)
            return (then,) if then else ()
        if end is None:
            return ()
        replaced = {source.supersedes_turn_id for source in revision.sources} - {None}
        brings_back = revision.writer is Writer.RESTORE or revision.writer in UNLEARNING
        return (end.strand,) if brings_back or end.step.operation.turn_id in replaced else ()

    def _kept(self, strand: Strand) -> Strand:
        self.strands.append(strand)
        return strand
