"""Taking out what was learned from a source: a turn, a chat, a time, a model, a version of our prompts.

Doing it twice is doing it once: the revision that an unlearning writes says what it unlearned, and so what each text
stands for after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.clearing import clear
from context_memory.domain.profile import Bullets, fold
from context_memory.domain.weaving import trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.condemnation import Condemned
    from context_memory.domain.lineage import Strand
    from context_memory.domain.profile import Section
    from context_memory.domain.revision import Revision


@dataclass(frozen=True, slots=True)
class Unlearned:
    """The body without what is condemned, and the numbers of the revisions that hold condemned operations."""

    bullets: Bullets
    revisions: tuple[int, ...]


def unlearn(revisions: Sequence[Revision], bullets: Bullets, condemned: Condemned) -> Unlearned:
    """Take what is condemned out of `bullets`; `revisions` are those of its epoch, oldest first."""
    lineage = trace(revisions)
    present = [lineage.of(section, bullet) for section, bullet in bullets.items()]
    return Unlearned(
        _body(clear(lineage, present, condemned)),
        tuple(one.turn_count for one in revisions if any(condemned(one, operation) for operation in one.operations)),
    )


def _body(strands: Sequence[Strand]) -> Bullets:
    """The texts in their sections, each once."""
    sections: dict[Section, dict[str, str]] = {}
    for strand in strands:
        sections.setdefault(strand.section, {}).setdefault(fold(strand.text), strand.text)
    return Bullets.of({section: tuple(texts.values()) for section, texts in sections.items()})
