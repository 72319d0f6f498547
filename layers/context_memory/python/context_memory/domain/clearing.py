"""What is left when condemned operations are taken out of a weave.

A text with a condemned operation behind it goes back to what stood before the first such operation, or vanishes if
that one added it. What a condemned operation removed comes back, unless something that stays took its place since.
What comes back is free of what was unlearned earlier, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.pairing import Fact, pair
from context_memory.domain.writers import UNLEARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.domain.condemnation import Condemned
    from context_memory.domain.lineage import End, Lineage, Step, Strand
    from context_memory.domain.operations import Operation
    from context_memory.domain.revision import Revision

type _Sources = Mapping[Strand, tuple[Strand, ...]]


def clear(lineage: Lineage, present: Iterable[Strand], condemned: Condemned) -> list[Strand]:
    """The texts that are to stand instead of those that do; one may be there several times."""
    before = _before(lineage, condemned)
    free = _before(lineage, _unlearned_too(condemned, lineage.unlearnings))
    left = [strand for own in present for strand in ((own,) if before.get(own, (own,)) == (own,) else free[own])]
    lost = [one for one in lineage.ended.values() if not one.carried and _by(condemned, one.step)]
    # The latest first: what comes back took the place of what had been removed before it was told.
    for end in sorted(lost, key=lambda end: end.step.revision.turn_count, reverse=True):
        if not _replaced(end, left):
            left += free[end.strand]
    return left


def _before(lineage: Lineage, condemned: Condemned) -> _Sources:
    """For each text what stood before anything condemned led to it: itself where nothing did."""
    before: dict[Strand, tuple[Strand, ...]] = {}
    for strand in lineage.strands:
        if strand.step and _by(condemned, strand.step):
            source = strand.instead_of
        elif any(before[parent] != (parent,) for parent in strand.parents):
            source = strand.parents
        else:
            before[strand] = (strand,)
            continue
        before[strand] = tuple(dict.fromkeys(old for parent in source for old in before[parent]))
    return before


def _by(condemned: Condemned, step: Step) -> bool:
    return condemned(step.revision, step.operation)


def _unlearned_too(condemned: Condemned, unlearnings: Sequence[Revision]) -> Condemned:
    """What is condemned, and what was by an unlearning that came after it."""

    def either(revision: Revision, operation: Operation) -> bool:
        return condemned(revision, operation) or any(
            one.unlearned(revision, operation)
            for one in unlearnings
            if one.unlearned is not None and revision.turn_count < one.turn_count
        )

    return either


def _replaced(end: End, left: Iterable[Strand]) -> bool:
    """Whether a text that stays was told after the end, and is about the same."""
    later = [one for one in left if _told_in(one) > end.step.revision.turn_count]
    lost = Fact.of(end.strand.section, len(later), end.strand.text)
    return bool(pair((lost,), [Fact.of(one.section, at, one.text) for at, one in enumerate(later)]).partner)


def _told_in(strand: Strand) -> int:
    """The number of the revision in which a text was told; what was unlearned only came back, told by nobody."""
    if strand.parents and (strand.step is None or strand.step.revision.writer in UNLEARNING):
        return max(map(_told_in, strand.parents))
    return strand.step.revision.turn_count if strand.step else 0
