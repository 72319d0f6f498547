"""How well an engine finds: the shares of answers among the first twelve, and how early they stand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.recall.locomo import Conversation, Question


@dataclass(frozen=True, slots=True)
class Found:
    """One question's figures, each between 0 and 1.

    Attributes:
        recall: share of the turns that answer it which the facts found rest on.
        reciprocal: of the rank of the first such fact.
        gain: nDCG, a fact that rests on such a turn counting 1.
    """

    category: int
    recall: float
    reciprocal: float
    gain: float


def judged(conversation: Conversation, question: Question, places: Sequence[int], most: int) -> Found:
    """The figures of what was found, of which the first `most` count."""
    evidence = question.evidence
    held = [conversation.turns[place] & evidence for place in places[:most]]
    ranks = [rank for rank, turns in enumerate(held) if turns]
    relevant = sum(not turns.isdisjoint(evidence) for turns in conversation.turns)
    ideal = sum(map(_worth, range(min(most, relevant))))
    return Found(
        question.category,
        recall=len(frozenset[str]().union(*held)) / len(evidence),
        reciprocal=1 / (ranks[0] + 1) if ranks else 0.0,
        gain=sum(map(_worth, ranks)) / ideal,
    )


def recall(found: Sequence[Found], category: int | None = None) -> float:
    """The mean over all questions, or over those of a category."""
    return fmean(one.recall for one in found if category in {None, one.category})


def _worth(rank: int) -> float:
    return 1 / math.log2(rank + 2)
