"""What is measured beside each other: our index with one leg and with both, SQLite's full text alone, and LanceDB."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import lancedb
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.language.stop_words import STOP_WORDS_BY_LANGUAGE
from context_memory.domain.recall.fusion import DEPTH
from context_memory.domain.recall.match import Query
from context_memory.domain.recall.weights import DEFAULT, Weights
from context_memory.ports.recall import IndexedScope
from tests.benchmarks.recall.embedded import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from context_memory.domain.facts.fact import Fact
    from tests.benchmarks.recall.embedded import Floats

HITS = 12
_STOP_WORDS = frozenset(STOP_WORDS_BY_LANGUAGE["en"].split())

type Search = Callable[[str, Floats], Sequence[int]]
"""Places of the `HITS` best facts for a question and its vector."""


@contextmanager
def ours(
    facts: Sequence[Fact], *, words: bool = True, meaning: bool = True, weights: Weights = DEFAULT, depth: int = DEPTH
) -> Iterator[Search]:
    """The index of the product, over facts that hold their vectors."""
    index = InMemoryIndex([IndexedScope(SharedScope("locomo"), 1, facts)], weights=weights, depth=depth)
    places = {fact.id: place for place, fact in enumerate(facts)}

    def search(question: str, vector: Floats) -> Sequence[int]:
        asked = quantised(MODEL, vector) if meaning else None
        found = index.search(Query(text=question if words else "", vector=asked, limit=HITS))
        return [places[match.fact.id] for match in found]

    yield search


@contextmanager
def plain_fts5(facts: Sequence[Fact]) -> Iterator[Search]:
    """SQLite as its manual has it: one column, the porter stemmer, any word of the question but stop words."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE facts USING fts5(text, tokenize='porter unicode61')")
        rows = ((place, fact.text) for place, fact in enumerate(facts))
        database.executemany("INSERT INTO facts(rowid, text) VALUES (?, ?)", rows)

        def search(question: str, _: Floats) -> Sequence[int]:
            words = re.findall(r"\w+", question.lower())
            asked = " OR ".join(f'"{word}"' for word in [word for word in words if word not in _STOP_WORDS] or words)
            find = "SELECT rowid FROM facts WHERE facts MATCH ? ORDER BY bm25(facts) LIMIT ?"
            return [place for (place,) in database.execute(find, (asked, HITS))]

        yield search


@contextmanager
def lance_hybrid(facts: Sequence[Fact], vectors: Sequence[Floats]) -> Iterator[Search]:
    """LanceDB's own hybrid search: its full text with English stems, its exact vectors, its reciprocal ranks."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            {"place": place, "text": fact.text, "vector": vector.tolist()}
            for place, (fact, vector) in enumerate(zip(facts, vectors, strict=True))
        ]
        table = lancedb.connect(folder).create_table("facts", rows)
        table.create_index("text", config=FTS(stem=True, remove_stop_words=True, with_position=False))
        reranker = RRFReranker()

        def search(question: str, vector: Floats) -> Sequence[int]:
            asked = table.search(query_type="hybrid").vector(vector.tolist()).text(question)
            found: list[int] = asked.rerank(reranker).limit(HITS).to_arrow()["place"].to_pylist()
            return found

        yield search
