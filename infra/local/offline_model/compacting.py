"""Facts that begin alike in one sentence: what they begin with once, then what each goes on with."""

from __future__ import annotations

from itertools import groupby, takewhile
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence


class Merge(TypedDict):
    """One entry of the answer; `of` are the numbers under which the facts are shown."""

    of: list[int]
    text: str


def merges(facts: Sequence[str]) -> list[Merge]:
    """One merge for each first word that several facts share."""
    numbered = sorted(enumerate(facts, start=1), key=lambda one: (_first(one[1]), one[0]))
    alike = [list(group) for _, group in groupby(numbered, key=lambda one: _first(one[1]))]
    return [
        Merge(of=[number for number, _ in group], text=_together([text for _, text in group]))
        for group in alike
        if len(group) > 1
    ]


def _first(fact: str) -> str:
    return fact.partition(" ")[0].casefold()


def _together(facts: Sequence[str]) -> str:
    """The words that all of them begin with, and behind them the rest of each."""
    words = [fact.rstrip(". ").split() for fact in facts]
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))))
    return f"{' '.join(words[0][:shared])} {', '.join(' '.join(one[shared:]) for one in words if one[shared:])}".strip()
