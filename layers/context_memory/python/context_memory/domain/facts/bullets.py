"""Facts as the rules for bullets look at them: the same words count as evidence for both memories."""

from __future__ import annotations

from context_memory.domain.pairing import Fact as Bullet
from context_memory.domain.profile import Section

__all__ = ["Bullet", "as_bullet", "in_any_section"]

_KINDS = (Section.IDENTITY, Section.COMMUNICATION, Section.WORK, Section.FOLLOW_UPS)
"""Sections in which different words say that something has ended."""


def as_bullet(text: str, section: Section = Section.IDENTITY) -> Bullet:
    """A fact's text as a bullet; facts stand in no section, so that by default no section's own rules count."""
    return Bullet.of(section, 0, text)


def in_any_section(text: str) -> tuple[Bullet, ...]:
    """The same text as a bullet of every section whose rules tell when something is over."""
    return tuple(as_bullet(text, section) for section in _KINDS)
