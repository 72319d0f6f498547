"""Taking what was forgotten out of history: the text itself, and the earlier texts that it came from."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.language.gist import gist
from context_memory.domain.weaving import trace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Bullets
    from context_memory.domain.revision import Revision


def earlier(revisions: Sequence[Revision], present: Bullets, forgotten: Callable[[str], bool]) -> frozenset[str]:
    """Texts that forgotten ones came from and that stand no more; revisions oldest first.

    Who asks to forget that they have a dog named Rex does not want history to say that they have a dog.
    """
    stands = _gists(present)
    found: set[str] = set()
    ahead = [strand for strand in trace(revisions).strands if forgotten(strand.text)]
    while ahead:
        for parent in ahead.pop().parents:
            if parent.text not in found and not forgotten(parent.text):
                found.add(parent.text)
                ahead.append(parent)
    return frozenset(text for text in found if gist(text) not in stands)


def to_redact(present: Bullets, forgotten: Callable[[str], bool]) -> Callable[[str], bool]:
    """Whether a text has to go from history: what stands at present was told again, or brought back, and stays."""
    stands = _gists(present)

    @cache  # versions repeat their bullets
    def goes(text: str) -> bool:
        return forgotten(text) and gist(text) not in stands

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


def _gists(bullets: Bullets) -> frozenset[str]:
    return frozenset(gist(text) for _, text in bullets.items())
