"""`make bench-recall DATA=…/locomo10.json`: how well, and how fast, each engine finds.

All engines answer each question in turns, so that their times are of the same minute of the same machine. It ends with
1 where ours finds less than it shall, or takes longer.
"""

from __future__ import annotations

import statistics
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from context_memory.domain.facts.vectors import quantised
from tests.benchmarks.recall import choosing, embedded, engines, off_topic
from tests.benchmarks.recall.figures import Found, judged, recall
from tests.benchmarks.recall.locomo import CATEGORIES, Conversation, conversations

AIMS = {"observations": 0.83, "turns": 0.79}
"""Recall of both legs over all questions."""
SHARE_OF_LANCE = 0.1
"""Of its time for a question, at most, where a user's facts are as many as a user may have."""
FTS5, WORDS, MEANING, BOTH, LANCE = (
    "SQLite FTS5, porter",
    "ours, keywords",
    "ours, vectors",
    "ours, both",
    "LanceDB hybrid",
)


def embedded_facts(conversation: Conversation) -> tuple[Conversation, list[embedded.Floats]]:
    """The conversation with a vector in each fact, as write-back leaves it, and the vectors as they were made."""
    vectors = embedded.passages([fact.text for fact in conversation.facts])
    pairs = zip(conversation.facts, vectors, strict=True)
    facts = tuple(replace(fact, vector=quantised(embedded.MODEL, vector)) for fact, vector in pairs)
    return replace(conversation, facts=facts), vectors


def measured(data: Path, kind: str) -> bool:
    """Measure one kind of facts, print what was found, and say whether the aims are met."""
    found: dict[str, list[Found]] = {}
    seconds: dict[str, list[float]] = {}
    known = [embedded_facts(conversation) for conversation in conversations(data, kind)]
    asked = [embedded.queries([question.text for question in each.questions]) for each, _ in known]
    for (conversation, vectors), of_questions in zip(known, asked, strict=True):
        facts = conversation.facts
        with ExitStack() as stack:
            searches = {
                FTS5: stack.enter_context(engines.plain_fts5(facts)),
                WORDS: stack.enter_context(engines.ours(facts, meaning=False)),
                MEANING: stack.enter_context(engines.ours(facts, words=False)),
                BOTH: stack.enter_context(engines.ours(facts)),
                LANCE: stack.enter_context(engines.lance_hybrid(facts, vectors)),
            }
            for question, vector in zip(conversation.questions, of_questions, strict=True):
                for name, search in searches.items():
                    began = time.perf_counter()
                    places = search(question.text, vector)
                    seconds.setdefault(name, []).append(time.perf_counter() - began)
                    found.setdefault(name, []).append(judged(conversation, question, places, engines.HITS))
    middle = {name: statistics.median(taken) for name, taken in seconds.items()}
    sizes = [len(conversation.facts) for conversation, _ in known]
    print_table(f"{kind}, {min(sizes)} to {max(sizes)} facts a conversation", found, middle)
    facts_alone = [conversation for conversation, _ in known]
    sys.stdout.write(choosing.told(facts_alone, asked))
    sys.stdout.write(off_topic.told(facts_alone, asked))
    return met(kind, found, middle)


def print_table(title: str, found: dict[str, list[Found]], middle: dict[str, float]) -> None:
    """A line for each engine: recall by category and over all, MRR, nDCG, median time, and that beside LanceDB's."""
    heads = [*CATEGORIES.values(), "all", "MRR", "nDCG", "ms", "of Lance"]
    lines = [
        f"\n{title}, {len(found[BOTH])} questions, Recall@{engines.HITS}",
        " " * 20 + "".join(f"{head:>14}" for head in heads),
    ]
    for name, each in found.items():
        shares = [recall(each, category) for category in CATEGORIES]
        means = [recall(each), statistics.fmean(f.reciprocal for f in each), statistics.fmean(f.gain for f in each)]
        figures = [f"{value:14.3f}" for value in (*shares, *means)]
        lines.append(f"{name:20}{''.join(figures)}{1e3 * middle[name]:14.2f}{middle[name] / middle[LANCE]:14.2f}")
    sys.stdout.write("\n".join(lines) + "\n")


def met(kind: str, found: dict[str, list[Found]], middle: dict[str, float]) -> bool:
    """Whether both legs find what they shall, in no category less than SQLite alone, in a tenth of LanceDB's time."""
    missed = [f"{kind}: recall is below {AIMS[kind]}"] if recall(found[BOTH]) < AIMS[kind] else []
    missed += [
        f"{kind}: {name} is below SQLite's"
        for category, name in CATEGORIES.items()
        if recall(found[BOTH], category) < recall(found[FTS5], category)
    ]
    if kind == "observations" and middle[BOTH] > SHARE_OF_LANCE * middle[LANCE]:
        missed.append(f"{kind}: more than a tenth of LanceDB's time")
    sys.stdout.writelines(f"MISSED {miss}\n" for miss in missed)
    return not missed


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Say where the data is: make bench-recall DATA=…/locomo10.json")
    results = [measured(Path(sys.argv[1]), kind) for kind in AIMS]
    sys.exit(not all(results))
