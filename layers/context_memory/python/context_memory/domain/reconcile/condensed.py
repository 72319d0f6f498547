"""After condensing: the same pairing, the body that was too long being the base, and no evidence for anything new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain import hygiene
from context_memory.domain.language.dates import dates_in
from context_memory.domain.pairing import facts, key_of, pair
from context_memory.domain.profile import NEVER, Section, pin_of
from context_memory.domain.reconcile.assembling import assemble
from context_memory.domain.reconcile.screening import filled_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.pairing import Fact, Pairing
    from context_memory.domain.profile import Bullets
    from context_memory.domain.replies.candidate import Candidate

_NOTHING_LOST_IN = frozenset({Section.IDENTITY, Section.COMMUNICATION})
_KEPT_OF_ITS_WORDS = 1 / 3


def check_condensed(base: Bullets, condensed: Candidate, pinned: frozenset[str]) -> Bullets | None:
    """What of a condensed body may stand, None when it is not acceptable.

    No new bullet may be longer than bullets may be.
    Every number and every date it holds must be in the input, a bullet that changes keeps its dates, and one that no
    bullet of the input pairs with has no word of its own. In Identity and Communication Preferences each bullet stands
    or has a successor that keeps a third of its words and says it in words of the input.
    Equal bullets stay byte for byte, pinned ones are put back.
    Whether the result shrank and fits is the caller's to count.

    Args:
        base: the body that was too long.
        condensed: the model's body.
        pinned: `profile.pin_of` of every pinned bullet.
    """
    before = facts(base)
    own = {fact.key for fact in before}
    if any(hygiene.is_too_long(text) for _, text in condensed.bullets.items() if key_of(text) not in own):
        return None
    pairing = pair(before, facts(filled_from(base, condensed)))
    pins = {fact for fact in before if pin_of(fact.section, fact.text) in pinned}
    if condensed.bullets.blank or _invents(before, pairing) or _loses(before, pairing, pins):
        return None
    standing = {old: old if pairing.equal(old) else new for old, new in pairing.partner.items()}
    return assemble(before, {**standing, **{pin: pin for pin in pins}}, pairing.unpaired)


def _invents(before: Iterable[Fact], pairing: Pairing) -> bool:
    words = frozenset[str]().union(*(old.words for old in before))
    digits = frozenset[str]().union(*(old.digits for old in before))
    numbers = frozenset[str]().union(*(new.digits for new in (*pairing.partner.values(), *pairing.unpaired)))
    reworded = (
        new for old, new in pairing.partner.items() if not pairing.equal(old) and new.section in _NOTHING_LOST_IN
    )
    return not numbers <= digits or any(not new.words <= words for new in (*pairing.unpaired, *reworded))


def _loses(before: Iterable[Fact], pairing: Pairing, pins: set[Fact]) -> bool:
    return any(not pairing.equal(old) and _is_lost(old, pairing.partner.get(old)) for old in before if old not in pins)


def _is_lost(old: Fact, new: Fact | None) -> bool:
    """Whether too much of a bullet is gone: dates anywhere, the bullet itself where nothing may be lost."""
    if new is None:
        return old.section in _NOTHING_LOST_IN
    hollow = len(old.words & new.words) < _KEPT_OF_ITS_WORDS * len(old.words)
    return not _days(old) <= _days(new) or (hollow and old.section in _NOTHING_LOST_IN)


def _days(fact: Fact) -> frozenset[str]:
    """The digits of all days, months and years that a bullet names; the stamp of a topic is no part of it."""
    return frozenset[str]().union(*(found.digits for found in dates_in(fact.text, NEVER.date()))) & fact.digits
