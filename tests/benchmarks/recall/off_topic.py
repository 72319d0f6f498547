"""How much is found for what the facts say nothing about: questions about another conversation, and small talk."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.recall.floors import MEASURED, NONE
from context_memory.domain.recall.match import MEANING, Query
from context_memory.ports.recall import IndexedScope
from tests.benchmarks.recall import embedded
from tests.benchmarks.recall.engines import HITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.domain.recall.floors import Floors
    from tests.benchmarks.recall.embedded import Floats
    from tests.benchmarks.recall.locomo import Conversation

SMALL_TALK = (
    "x", "asdfgh", "qwertz uiop", "zzzzzz", "...", "ok", "no", "hi", "hello", "lol", "haha", "bye", "thanks", "danke",
    "Thank you so much!", "good morning", "yes please", "sounds good", "continue", "What is 17 times 23?",
    "Write a Python function that reverses a list.", "Translate 'good evening' into French.",
    "How do I fix a segmentation fault in C?", "What is the capital of Mongolia?", "Explain quantum entanglement.",
    "Summarise this text.", "fix the typo in line 4", "convert 5 miles to kilometres", "What's the GDP of Brazil?",
    "rewrite the second paragraph more formally",
)  # fmt: skip
_EACH = 4
"""Of the questions about another conversation each fourth is asked."""

type Said = Iterable[tuple[str, Floats]]


def told(known: Sequence[Conversation], asked: Sequence[Sequence[Floats]]) -> str:
    """How many facts are found for each kind of question, with and without floors, and how many by meaning alone."""
    said = list(zip(SMALL_TALK, embedded.queries(SMALL_TALK), strict=True))
    questions = [
        [(question.text, vector) for question, vector in zip(each.questions, vectors, strict=True)]
        for each, vectors in zip(known, asked, strict=True)
    ]
    others = [each[::_EACH] for each in (*questions[1:], questions[0])]
    lines = [f"of {HITS} facts found, and of them by meaning alone:"]
    for name, floors in (("with floors", MEASURED), ("without", NONE)):
        figures = [
            f"{kind} {_found(known, texts, floors)}"
            for kind, texts in (("own", questions), ("another's", others), ("small talk", [said] * len(known)))
        ]
        lines.append(f"  {name:12}{', '.join(figures)}")
    return "\n".join(lines) + "\n"


def _found(known: Sequence[Conversation], said: Sequence[Said], floors: Floors) -> str:
    counts: list[int] = []
    alone: list[int] = []
    for conversation, texts in zip(known, said, strict=True):
        index = InMemoryIndex([IndexedScope(SharedScope("locomo"), 1, conversation.facts)], floors=floors)
        for text, vector in texts:
            found = index.search(Query(text=text, vector=quantised(embedded.MODEL, vector), limit=HITS))
            counts.append(len(found))
            alone.append(sum(match.why == (MEANING,) for match in found))
    return f"{fmean(counts):.1f} ({fmean(alone):.1f})"
