"""Bringing an older body back without changing what the user has pinned since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.pairing import facts, pair
from context_memory.domain.profile import Bullets, Section, pin_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def restored(older: Bullets, present: Bullets, pins: AbstractSet[str]) -> Bullets:
    """The older body, in which pinned bullets of the present one stand as they do now.

    A pinned bullet takes the place of what it was before, so that both never stand beside each other; one that the
    older body does not know stands at the end of its section.
    """
    pinned = [fact for fact in facts(present) if pin_of(fact.section, fact.text) in pins]
    old = facts(older)
    partner = pair(old, pinned).partner
    sections: dict[Section, list[str]] = {section: [] for section in Section}
    for fact in old:
        stands = partner.get(fact, fact)
        if stands.text not in sections[stands.section]:
            sections[stands.section].append(stands.text)
    for fact in pinned:
        if fact.text not in sections[fact.section]:
            sections[fact.section].append(fact.text)
    return Bullets.of(sections)
