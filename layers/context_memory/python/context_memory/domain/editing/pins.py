"""Pins in the user's own hands: they go with the bullet that the user edits, and go away with one that is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.pairing import facts, pair
from context_memory.domain.profile import pin_of

if TYPE_CHECKING:
    from context_memory.domain.pairing import Fact, Pairing
    from context_memory.domain.profile import Bullets


def moved_pins(pins: frozenset[str], before: Bullets, after: Bullets) -> frozenset[str]:
    """The pins of `after`, which the user made of `before`.

    A pinned bullet is found again as reconciling pairs bullets, or, where it shares no words with what it became, in
    its old place. Pins of no bullet are left behind.
    """
    old, new = facts(before), facts(after)
    pairing = pair(old, new)
    pinned = [fact for fact in old if pin_of(fact.section, fact.text) in pins]
    found = (pairing.partner.get(fact) or _in_its_place(fact, before, after, pairing) for fact in pinned)
    return frozenset(pin_of(fact.section, fact.text) for fact in found if fact)


def _in_its_place(fact: Fact, before: Bullets, after: Bullets, pairing: Pairing) -> Fact | None:
    """The new bullet where `fact` stood, if the section is as long as it was and nothing else has moved there."""
    if len(before[fact.section]) != len(after[fact.section]):
        return None
    at = (fact.section, fact.position)
    return next((new for new in pairing.unpaired if (new.section, new.position) == at), None)
