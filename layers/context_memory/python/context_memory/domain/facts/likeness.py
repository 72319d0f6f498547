"""Whether two facts are one, said in other words: then the newer confirms the older instead of standing beside it.

Only words decide, never vectors, to which "works at A" and "works at B" are nearly the same. A negation, one of two
opposite prepositions, another number or another order of the words ("tea over coffee") makes two statements of it,
whatever else they share.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from context_memory.domain.facts.bullets import as_bullet
from context_memory.domain.facts.fact import normalised
from context_memory.domain.language.gist import turned_round
from context_memory.domain.language.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable


class Likeness(Enum):
    """How a new text stands to a known one."""

    SAME = auto()
    """It says the same, or less."""
    MORE = auto()
    """It says all of it, and more."""
    OTHER = auto()


def likeness(new: str, known: str) -> Likeness:
    """How `new` stands to `known`."""
    if normalised(new) == normalised(known):
        return Likeness.SAME
    if turned_round(new) != turned_round(known):
        return Likeness.OTHER
    fresh, old = as_bullet(new), as_bullet(known)
    if not (fresh.evident and old.evident):
        return Likeness.OTHER  # "likes it" and "likes that": nothing is told that could be compared
    if not _in_one_order(fresh.words & old.words, new, known):
        return Likeness.OTHER
    if old.holds(fresh):
        return Likeness.SAME
    return Likeness.MORE if fresh.holds(old) else Likeness.OTHER


def said_by(texts: Iterable[str], bullets: Iterable[str]) -> frozenset[str]:
    """Those of `texts` all of which one of `bullets` says: "Works at Roche." of "Works as a nurse at Roche."."""
    known = [(bullet, as_bullet(bullet), normalised(bullet)) for bullet in bullets]
    found: set[str] = set()
    for text in texts:
        fact, key = as_bullet(text), normalised(text)
        # Reading a text takes longer than looking at what was read: only what may say it is compared.
        near = [bullet for bullet, read, same in known if same == key or read.holds(fact)]
        if any(likeness(text, bullet) is Likeness.SAME for bullet in near):
            found.add(text)
    return frozenset(found)


def _in_one_order(words: frozenset[str], one: str, other: str) -> bool:
    """Whether words that two texts share come in the same order; those that stand there in another ending count not."""
    first, second = plain(one), plain(other)
    found = [word for word in words if word in first and word in second]
    return sorted(found, key=first.index) == sorted(found, key=second.index)
