"""Where bullets come from: each text hangs on the texts it came from, and on the operation that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.profile import Section, fold

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        step: what made it; None where that revision is not known any more, and where an unlearning let the text stand
            for another reason than it had stood for before.
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
        unlearnings: the revisions that unlearned something and that no restore has taken back.
    """

    strands: tuple[Strand, ...]
    standing: Mapping[Place, Strand]
    ended: Mapping[Place, End]
    unlearnings: tuple[Revision, ...]

    def of(self, section: Section, bullet: str) -> Strand:
        """The strand of a present bullet; one without a step where no revision tells of it."""
        return self.standing.get((section, fold(bullet))) or Strand(section, bullet)
