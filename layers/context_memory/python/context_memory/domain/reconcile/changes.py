"""R2: whether a changed bullet stands.

Readings, where the rule leaves one: the user may have said a changed bullet's new word in another ending ("tutoyer" and
"tutoyée"); what shortens keeps at least a third of the old bullet's words (a bullet hollowed out to one common word is
a loss), a merge holds the numbers of all that it merges, and a topic that is only dated anew needs evidence like any
other change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain import stamps, words
from context_memory.domain.pairing import key_of
from context_memory.domain.profile import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.support import Support

_KEPT_OF_A_SHORTENED_BULLET = 1 / 3


def is_backed(new: Fact, olds: Sequence[Fact], support: Support) -> bool:
    """Whether the evidence speaks of the bullet, new or old, and brings every new number."""
    known = frozenset[str]().union(*(old.digits for old in olds))
    said = frozenset[str]().union(*(old.words for old in olds))
    spoken_of = any(map(support.backs, (new, *olds))) or support.says(words.without_faint(new.words - said))
    return spoken_of and support.allows_digits(new, known)


def shortens(new: Fact, olds: Sequence[Fact]) -> bool:
    """Whether `new` only says less of `olds`, or says them together: no word is new, no number lost or new."""
    if _only_redated(new, olds):
        return False
    known = frozenset[str]().union(*(old.words for old in olds))
    digits = frozenset[str]().union(*(old.digits for old in olds))
    kept = all(len(old.words & new.words) >= _KEPT_OF_A_SHORTENED_BULLET * len(old.words) for old in olds)
    return new.words <= known and new.digits == digits and kept


def may_move(old: Fact, section: Section, support: Support) -> bool:
    """Whether an unchanged bullet may stand in another section: where bullets expire only if the user speaks of it."""
    return section not in {Section.FOLLOW_UPS, Section.TOPICS} or support.backs(old)


def _only_redated(new: Fact, olds: Sequence[Fact]) -> bool:
    subject = key_of(stamps.split(new.text)[1])
    return new.section is Section.TOPICS and any(key_of(stamps.split(old.text)[1]) == subject for old in olds)
