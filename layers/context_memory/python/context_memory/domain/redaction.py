"""Taking what was forgotten out of history: the text itself, and the earlier texts that it came from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.language.gist import gist
from context_memory.domain.lineage import trace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Bullets
    from context_memory.domain.revision import Revision


def to_redact(
    revisions: Sequence[Revision], present: Bullets, forgotten: Callable[[str], bool]
) -> Callable[[str], bool]:
    """Whether a text has to go from history.

    What stands at present was told again, or brought back: it is not forgotten any more.

    Args:
        revisions: of one epoch, oldest first; while they are being redacted, too, from the oldest on.
        present: the body that counts.
        forgotten: whether a text was asked to be forgotten, for good.
    """
    stands = {gist(text) for _, text in present.items()}
    lost = [strand for strand in trace(revisions).strands if forgotten(strand.text)]
    gone: set[str] = set()
    while lost:
        strand = lost.pop()
        gone.add(gist(strand.text))
        lost += [parent for parent in strand.parents if gist(parent.text) not in gone]
    gone -= stands

    @cache  # versions repeat their bullets
    def goes(text: str) -> bool:
        said = gist(text)
        return said in gone or (said not in stands and forgotten(text))

    return goes


def redacted(revision: Revision, goes: Callable[[str], bool], at: datetime) -> Revision:
    """The revision without texts that go; the very same where it holds none."""
    operations = tuple(_redacted(operation, goes) for operation in revision.operations)
    if operations == revision.operations:
        return revision
    return replace(revision, operations=operations, redacted_at=at)


def _redacted(operation: Operation, goes: Callable[[str], bool]) -> Operation:
    before, after = (None if text is not None and goes(text) else text for text in (operation.before, operation.after))
    return replace(operation, before=before, after=after)
