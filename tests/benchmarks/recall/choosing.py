"""Whether the constants fit more than the conversations they were looked at with.

Weight of neighbours and depth of fusion are chosen on nine conversations and tried on the tenth, ten times over. What
that gives must be near what our constants give: else these were fitted to the data.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from context_memory.domain.recall.fusion import DEPTH
from context_memory.domain.recall.weights import DEFAULT
from tests.benchmarks.recall import engines
from tests.benchmarks.recall.figures import judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.recall.embedded import Floats
    from tests.benchmarks.recall.locomo import Conversation

OURS = (DEFAULT.near, DEPTH)
NEAR, DEPTHS = (0.2, 0.3, 0.4, 0.5), (16, 32, 48)


def told(known: Sequence[Conversation], asked: Sequence[Sequence[Floats]]) -> str:
    """What each choice gives, and what choosing without looking gives."""
    choices = dict.fromkeys((OURS, *product(NEAR, DEPTHS)))
    recalls = {
        choice: [_recalls(conversation, vectors, *choice) for conversation, vectors in zip(known, asked, strict=True)]
        for choice in choices
    }
    unseen, chosen = [], []
    for left_out in range(len(known)):
        best = max(choices, key=lambda choice: _mean(recalls[choice], left_out))
        chosen.append(best)
        unseen += recalls[best][left_out]
    every = [_mean(each) for each in recalls.values()]
    return (
        f"constants: ours {OURS} give {_mean(recalls[OURS]):.3f}, the {len(every)} choices {min(every):.3f} to "
        f"{max(every):.3f}; chosen without the conversation they are tried on {fmean(unseen):.3f} "
        f"({', '.join(f'{choice} {chosen.count(choice)} times' for choice in dict.fromkeys(chosen))})\n"
    )


def _recalls(conversation: Conversation, vectors: Sequence[Floats], near: float, depth: int) -> list[float]:
    with engines.ours(conversation.facts, weights=replace(DEFAULT, near=near), depth=depth) as search:
        return [
            judged(conversation, question, search(question.text, vector), engines.HITS).recall
            for question, vector in zip(conversation.questions, vectors, strict=True)
        ]


def _mean(of_conversations: Sequence[Sequence[float]], left_out: int | None = None) -> float:
    return fmean(value for at, each in enumerate(of_conversations) if at != left_out for value in each)
