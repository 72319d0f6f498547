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
    then = Past(old.id, old.text, at, tier=old.tier, source=old.source, created_at=old.created_at)
    past = (then, *old.supersedes, *new.supersedes)
    history = {one.id: one for one in reversed(past) if one.id != new.id}
    newest = sorted(history.values(), key=lambda one: one.replaced_at, reverse=True)
    return replace(new, supersedes=tuple(newest[:MOST_PAST]))


def without_past(facts: Iterable[Fact], goes: Callable[[Past], bool]) -> list[Fact]:
    """Those facts whose history holds something that goes, without it."""
    return [
        replace(fact, supersedes=tuple(past for past in fact.supersedes if not goes(past)))
        for fact in facts
        if any(map(goes, fact.supersedes))
    ]


def says(text: str) -> Callable[[Past], bool]:
    """Whether a piece of history is that very statement, under whatever id."""
    gone = normalised(text)
    return lambda past: normalised(past.text) == gone
