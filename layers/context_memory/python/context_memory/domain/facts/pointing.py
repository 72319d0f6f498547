"""Which facts a wish to forget takes away: those that its words point at, and those that say what a bullet said.

Nobody asks a model here. A word of the wish points at the facts that hold it if they are two at most (R3); where one of
them says nothing that the wish does not name, the word means that one: "forget that I live in Basel" leaves
"Works at Novartis in Basel." alone as long as "Lives in Basel." stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.bullets import as_bullet
from context_memory.domain.language.words import beyond_request
from context_memory.domain.reconcile.everything import asks_for_everything

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.facts.bullets import Bullet
    from context_memory.domain.reconcile.support import Support

_POINTED_AT_AT_MOST = 2


@dataclass(frozen=True, slots=True)
class Pointing:
    """What the words of a wish come to.

    Attributes:
        meant: texts that they mean.
        beside: texts that hold a word which means others.
        wholly: there are words, and each means something.
    """

    meant: frozenset[str]
    beside: frozenset[str] = frozenset()
    wholly: bool = False


def pointing(texts: Iterable[str], wish: str, support: Support) -> Pointing:
    """What a wish to forget means.

    Args:
        texts: what is remembered.
        wish: all that the user said in the turn that asks.
        support: the same, read.
    """
    known = {text: as_bullet(text) for text in texts}
    if asks_for_everything(wish):
        return Pointing(frozenset(known), wholly=True)
    named = beyond_request(support.words)
    meant, beside = set[str](), set[str]()
    for word in named:
        holding = {text: bullet for text, bullet in known.items() if word in bullet.telling}
        whole = [text for text, bullet in holding.items() if bullet.telling <= named]
        if whole or 0 < len(holding) <= _POINTED_AT_AT_MOST:
            meant.update(whole or holding)
            beside.update(holding)
    # Faint words mean nothing by themselves ("live"), but are heeded where what is meant says them, too.
    heeded = frozenset[str]().union(*(known[text].words for text in meant))
    return Pointing(frozenset(meant), frozenset(beside - meant), wholly=bool(meant) and named <= heeded)


def pointed_at(texts: Iterable[str], wish: str, support: Support) -> frozenset[str]:
    """Those of `texts` that a wish to forget means; as `pointing`."""
    return pointing(texts, wish, support).meant


def told_by(texts: Iterable[str], bullets: Iterable[str]) -> frozenset[str]:
    """Those of `texts` that say what one of `bullets` said: most of their words are in it, and half of its in them."""
    said = [as_bullet(bullet) for bullet in bullets]
    return frozenset(text for text in texts if any(_says_the_same(as_bullet(text), bullet) for bullet in said))


def _says_the_same(fact: Bullet, bullet: Bullet) -> bool:
    shared = len(fact.telling & bullet.telling)
    return 2 * shared > len(fact.telling) and 2 * shared >= len(bullet.telling)
