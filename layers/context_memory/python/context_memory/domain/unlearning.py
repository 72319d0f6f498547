"""Taking out what was learned from a source: a turn, a chat, a time, a model, a version of our prompts.

A bullet with a condemned operation behind it goes back to what stood before the first such operation, or vanishes if
that one added it. What a condemned operation removed comes back, unless something good took its place since.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.lineage import trace
from context_memory.domain.pairing import Fact, pair
from context_memory.domain.profile import Bullets, fold
from context_memory.domain.writers import UNLEARNING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.lineage import End, Lineage, Strand
    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Section
    from context_memory.domain.revision import Revision, Source

type Condemned = Callable[[Revision, Operation], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condemnation:
    """What is to be unlearned: all that fits every criterion which is given; an empty one is not given.

    Attributes:
        since: turns that happened at or after.
        until: turns that happened before.
    """

    turn_ids: frozenset[str] = frozenset()
    chat_ids: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    models: frozenset[str] = frozenset()
    prompt_versions: frozenset[str] = frozenset()

    def __call__(self, revision: Revision, operation: Operation) -> bool:
        """Whether an operation of a revision was learned from what is condemned."""
        if self.models and revision.model not in self.models:
            return False
        if self.prompt_versions and revision.prompt_version not in self.prompt_versions:
            return False
        if not (self.turn_ids or self.chat_ids or self.since or self.until):
            return bool(self.models or self.prompt_versions)
        own = [one for one in revision.sources if operation.turn_id in {None, one.turn_id}]
        return any(self._names(source, revision.written_at) for source in own)

    def _names(self, source: Source, written_at: datetime) -> bool:
        # Revisions of older releases do not say when their turns happened: it was not long before they were written.
        happened = source.occurred_at or written_at
        return (
            (not self.turn_ids or source.turn_id in self.turn_ids)
            and (not self.chat_ids or source.chat_id in self.chat_ids)
            and (self.since is None or self.since <= happened)
            and (self.until is None or happened < self.until)
        )


@dataclass(frozen=True, slots=True)
class Unlearned:
    """The body without what is condemned, and the numbers of the revisions that hold condemned operations."""

    bullets: Bullets
    revisions: tuple[int, ...]


def unlearn(revisions: Sequence[Revision], bullets: Bullets, condemned: Condemned) -> Unlearned:
    """Take what is condemned out of `bullets`; `revisions` are those of its epoch, oldest first."""
    lineage = trace(revisions)
    before = _before_condemned(lineage, condemned)
    present = [lineage.of(section, bullet) for section, bullet in bullets.items()]
    good = [own for own in present if before.get(own, (own,)) == (own,)]
    wanted = [strand for own in present for strand in before.get(own, (own,))]
    back = [strand for end in _lost(lineage, condemned, good) for strand in before[end.strand]]
    return Unlearned(
        _body([*wanted, *back]),
        tuple(one.turn_count for one in revisions if any(condemned(one, operation) for operation in one.operations)),
    )


def _before_condemned(lineage: Lineage, condemned: Condemned) -> Mapping[Strand, tuple[Strand, ...]]:
    """For each text what stood before anything condemned led to it: itself where nothing did."""
    before: dict[Strand, tuple[Strand, ...]] = {}
    for strand in lineage.strands:
        if strand.step and condemned(strand.step.revision, strand.step.operation):
            source = strand.instead_of
        elif any(before[parent] != (parent,) for parent in strand.parents):
            source = strand.parents
        else:
            before[strand] = (strand,)
            continue
        before[strand] = tuple(dict.fromkeys(old for parent in source for old in before[parent]))
    return before


def _lost(lineage: Lineage, condemned: Condemned, good: Sequence[Strand]) -> Iterator[End]:
    """Texts that a condemned operation ended, unless something good that came later is about the same."""
    for end in lineage.ended.values():
        if end.carried or not condemned(end.step.revision, end.step.operation):
            continue
        count = end.step.revision.turn_count
        later = [one for one in good if _told_in(one) > count]
        lost = Fact.of(end.strand.section, len(later), end.strand.text)
        if not pair((lost,), [Fact.of(one.section, at, one.text) for at, one in enumerate(later)]).partner:
            yield end


def _told_in(strand: Strand) -> int:
    """The number of the revision in which a text was told; what was unlearned only came back, told by nobody."""
    while strand.step and strand.step.revision.writer in UNLEARNING and strand.parents:
        strand = strand.parents[0]
    return strand.step.revision.turn_count if strand.step else 0


def _body(strands: Sequence[Strand]) -> Bullets:
    """The texts in their sections, each once."""
    sections: dict[Section, dict[str, str]] = {}
    for strand in strands:
        sections.setdefault(strand.section, {}).setdefault(fold(strand.text), strand.text)
    return Bullets.of({section: tuple(texts.values()) for section, texts in sections.items()})
