"""FORGET: when it means everything, and what of a forgotten bullet may not stay behind.

A reading, where the design leaves one: where every bullet is asked to be forgotten by name, an empty body is meant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.profile import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.support import Support


def asks_for_all(base: Sequence[Fact], support: Support) -> bool:
    """Whether "forget" means everything: the evidence names no bullet, or each one."""
    named = sum(map(support.asks_to_forget, base))
    return named in {0, len(base)}


def trimmed(standing: Mapping[Fact, Fact], support: Support) -> dict[Fact, Fact]:
    """Bullets that stand without the words that were to be forgotten: old → the same, reduced to what it lost."""
    return {
        old: replace(old, words=old.words - stands.words)
        for old, stands in standing.items()
        if support.asks_to_forget(replace(old, words=old.words - stands.words))
    }


def disguised(base: Sequence[Fact], incoming: Sequence[Fact], support: Support) -> frozenset[Fact]:
    """New topics about a bullet that goes because the user asks: none of them may pass for that bullet, changed."""
    known, kept = {fact.key for fact in base}, {fact.key for fact in incoming}
    going = [old for old in base if old.key not in kept and support.asks_to_forget(old)]
    return frozenset(
        new
        for new in incoming
        if new.section is Section.TOPICS and new.key not in known and any(_is_about(new, old, support) for old in going)
    )


def left_behind(standing: Iterable[Fact], forgotten: Sequence[Fact], support: Support) -> frozenset[Fact]:
    """What of the bullets that stand repeats a forgotten one: topics about it, and facts that say just the same."""
    return frozenset(fact for fact in standing if any(_is_about(fact, gone, support) for gone in forgotten))


def _is_about(fact: Fact, gone: Fact, support: Support) -> bool:
    mine, theirs = fact.telling, gone.telling
    if fact.section is not Section.TOPICS:
        return bool(theirs) and mine == theirs
    shared = mine & theirs
    return not shared.isdisjoint(support.words) or (bool(shared) and 2 * len(shared) >= min(len(mine), len(theirs)))
