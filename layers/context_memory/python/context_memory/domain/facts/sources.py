"""Which of several turns a fact rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.language.words import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn: who it is, when it happened, and all that the user said in it."""

    source: Source
    occurred_at: datetime
    grounds: str


def resting_on_all(text: str, turns: Sequence[Said]) -> tuple[Said, ...]:
    """The turns that hold at least half as many words of a fact as the one that holds most, in order."""
    words = content_words(text)
    shared = [len(words & content_words(turn.grounds)) for turn in turns]
    return tuple(turn for count, turn in zip(shared, turns, strict=True) if 2 * count >= max(shared))


def resting_on(text: str, turns: Sequence[Said]) -> Said:
    """The turn that holds most words of a fact, the youngest of equals; `turns` are in order, and not empty."""
    words = content_words(text)
    shared = [len(words & content_words(turn.grounds)) for turn in turns]
    return max(zip(shared, range(len(turns)), turns, strict=True), key=lambda one: one[:2])[2]
