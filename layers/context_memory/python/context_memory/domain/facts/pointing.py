"""Which facts a wish to forget takes away: those that its words point at, and those that say what a bullet said.

Nobody asks a model here. A word of the wish points at the facts that hold it if they are two at most (R3); where one of
them says nothing that the wish does not name, the word means that one: "forget that I live in Basel" leaves
"Works at Novartis in Basel." alone as long as "Lives in Basel." stands beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.facts.bullets import as_bullet
from context_memory.domain.language.words import beyond_request
from context_memory.domain.reconcile.everything import asks_for_everything

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.facts.bullets import Bullet
    from context_memory.domain.reconcile.support import Support

_POINTED_AT_AT_MOST = 2


def pointed_at(texts: Iterable[str], wish: str, support: Support) -> frozenset[str]:
    """Those of `texts` that a wish to forget means.

    Args:
        texts: what is remembered.
        wish: all that the user said in the turn that asks.
        support: the same, read.
    """
    known = {text: as_bullet(text) for text in texts}
    if asks_for_everything(wish):
        return frozenset(known)
    named = beyond_request(support.words)
    pointed: set[str] = set()
    for word in named:
        holding = {text: bullet for text, bullet in known.items() if word in bullet.telling}
        whole = [text for text, bullet in holding.items() if bullet.telling <= named]
        if whole or len(holding) <= _POINTED_AT_AT_MOST:
            pointed.update(whole or holding)
    return frozenset(pointed)


def told_by(texts: Iterable[str], bullets: Iterable[str]) -> frozenset[str]:
    """Those of `texts` that say what one of `bullets` said: most of their words are in it, and half of its in them."""
    said = [as_bullet(bullet) for bullet in bullets]
    return frozenset(text for text in texts if any(_says_the_same(as_bullet(text), bullet) for bullet in said))


def _says_the_same(fact: Bullet, bullet: Bullet) -> bool:
    shared = len(fact.telling & bullet.telling)
    return 2 * shared > len(fact.telling) and 2 * shared >= len(bullet.telling)
