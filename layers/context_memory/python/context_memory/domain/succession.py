"""Within one revision: which of the texts that it ended live on in those that it made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.operations import OperationKind
from context_memory.domain.pairing import Fact, pair
from context_memory.domain.profile import Section, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from context_memory.domain.lineage import Strand
    from context_memory.domain.operations import Operation


def replacing(
    operations: Sequence[Operation], before: Mapping[Operation, Strand]
) -> Mapping[Operation, Sequence[Strand]]:
    """For each operation that makes a text the texts that it stands for; `before` are those that the revision ended."""
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
