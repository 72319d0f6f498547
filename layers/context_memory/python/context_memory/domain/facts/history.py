"""What facts said before: kept when one takes another's place, and taken out again with what is deleted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import MOST_PAST, Past, normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact


def in_place_of(new: Fact, old: Fact, at: datetime) -> Fact:
    """The fact that takes the place of `old` from `at` on: it remembers that, and what `old` remembered."""
    origins = old.compaction.origins if old.compaction else ()
    then = Past(old.id, old.text, at, tier=old.tier, source=old.source, created_at=old.created_at, origins=origins)
    past = (then, *old.supersedes, *new.supersedes)
    history = {one.id: one for one in reversed(past) if one.id != new.id}
    newest = sorted(history.values(), key=lambda one: one.replaced_at, reverse=True)
    return replace(new, supersedes=tuple(newest[:MOST_PAST]))


def without_past(facts: Iterable[Fact], goes: Callable[[Past | Fact], bool]) -> list[Fact]:
    """Those facts whose history holds something that goes, without it.

    The facts that a merged one stands for are its history as well: what goes does not come back when it is parted.
    """
    changed = ((fact, _without(fact, goes)) for fact in facts)
    return [without for fact, without in changed if without != fact]


def _without(fact: Fact, goes: Callable[[Past | Fact], bool]) -> Fact:
    kept = replace(fact, supersedes=tuple(past for past in fact.supersedes if not goes(past)))
    merged = fact.compaction
    if merged is None or not merged.originals:
        return kept
    originals = (_without(one, goes) for one in merged.originals if not goes(one))
    return replace(kept, compaction=replace(merged, originals=tuple(originals)))


def texts_behind(fact: Fact) -> list[str]:
    """What a fact says, and what those say that it was merged from."""
    return [fact.text, *(one.text for one in (fact.compaction.originals if fact.compaction else ()))]


def says(text: str) -> Callable[[Past | Fact], bool]:
    """Whether a piece of history is that very statement, under whatever id."""
    gone = normalised(text)
    return lambda past: normalised(past.text) == gone
