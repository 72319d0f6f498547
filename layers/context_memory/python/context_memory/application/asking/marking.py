"""A profile as models read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.profile import Section, pin_of
from context_memory.domain.rendering import render_body
from context_memory.domain.replies.consolidation import PIN_MARK

if TYPE_CHECKING:
    from context_memory.domain.profile import Bullets


def marked(bullets: Bullets, pins: frozenset[str]) -> str:
    """The body with pinned bullets marked, without a newline at its end."""
    shown = bullets
    for section in Section:
        shown = shown.with_section(
            section,
            (text + PIN_MARK if pin_of(section, text) in pins else text for text in bullets[section]),
        )
    return render_body(shown).rstrip("\n")
