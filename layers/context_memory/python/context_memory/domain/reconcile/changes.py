"""R2: whether a changed bullet stands.

Readings, where the rule leaves one: the user may have said a changed bullet's new word in another ending ("tutoyer" and
"tutoyée"); what shortens keeps at least a third of the old bullet's words (a bullet hollowed out to one common word is
a loss), a merge holds the numbers of all that it merges, and a topic that is only dated anew needs evidence like any
other change. A change that the user spoke of may drop what it replaces and what the evidence names; of the rest it
keeps at least half ("Based in Basel." is no successor of a bullet that tells employer and role as well). A change that
is but a number may be spoken of by that number alone ("We're 15 now"), unless a bullet that the evidence names in words
takes it ("the audit moved to the 24th" moves no other date).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.language import stamps, words
from context_memory.domain.pairing import key_of
from context_memory.domain.profile import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.support import Support

_KEPT_OF_A_SHORTENED_BULLET = 1 / 3
_WORDS_OF_A_WHOLE_STATEMENT = 3
_SEVERAL_OF_A_KIND = frozenset({Section.WORK, Section.SKILLS, Section.FOLLOW_UPS, Section.TOPICS})


def is_backed(new: Fact, olds: Sequence[Fact], support: Support) -> bool:
    """Whether the evidence speaks of the bullet, new or old, and brings every new number."""
    known = frozenset[str]().union(*(old.digits for old in olds))
    said = frozenset[str]().union(*(old.words for old in olds))
    spoken_of = any(map(support.backs, (new, *olds))) or support.says(new.evident - said)
    return spoken_of and support.allows_digits(new, known)


def is_backed_by_number(new: Fact, olds: Sequence[Fact], taken: frozenset[str], support: Support) -> bool:
    """Whether all that is new in the bullet are numbers, and the user said one of them ("I turned 35").

    Args:
        new: the bullet that changed.
        olds: what it was.
        taken: numbers that the user said of something else.
        support: the evidence.
    """
    known = frozenset[str]().union(*(old.digits for old in olds))
    said = frozenset[str]().union(*(old.words for old in olds))
    fresh = new.digits - known - taken
    return new.words <= said and support.brings_number(new, fresh) and support.allows_digits(new, known)


def keeps_enough(old: Fact, new: Fact, elsewhere: frozenset[str], support: Support) -> bool:
    """Whether of what `new` neither replaces nor the evidence names at least half still stands.

    Each new word may replace one old word; a whole statement of the same kind, all of it said by the user, replaces the
    old one however long that was ("Works as a consultant at Zühlke in Zurich.").

    Args:
        old: the bullet that changed.
        new: what it became.
        elsewhere: content words of the other new bullets, in which parts of `old` may live on.
        support: the evidence.
    """
    told = old.telling
    kept = told & (new.words | elsewhere)
    dropped = [word for word in told - kept if not support.says(frozenset({word}))]
    replacing = new.evident - old.words
    return len(dropped) <= len(replacing) + len(kept) or (
        len(replacing) >= _WORDS_OF_A_WHOLE_STATEMENT
        and _opening(new) == _opening(old)
        and all(support.says(frozenset({word})) for word in replacing)
    )


def may_stand_beside(new: Fact, olds: Sequence[Fact], support: Support) -> bool:
    """Whether a change that a late turn may not make stands as a bullet of its own: it says something that is new.

    Where people have one of a kind (a home, a way of being answered) the old talk would contradict the newer.
    """
    return new.section in _SEVERAL_OF_A_KIND and brings_more(new, olds, support)


def brings_more(new: Fact, olds: Sequence[Fact], support: Support) -> bool:
    """Whether a changed bullet has a telling word that none of the old ones had, and that the user said."""
    fresh = new.evident.difference(*(old.words for old in olds))
    return support.says(fresh)


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


def _opening(fact: Fact) -> str:
    """The word that a bullet begins with, folded, which says what kind of statement it is: "works", "wohnt"."""
    return next(iter(words.plain(fact.text).split()), "")


def _only_redated(new: Fact, olds: Sequence[Fact]) -> bool:
    subject = key_of(stamps.split(new.text)[1])
    return new.section is Section.TOPICS and any(key_of(stamps.split(old.text)[1]) == subject for old in olds)
