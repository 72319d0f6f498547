"""SQLite's full text search over facts, as one table without content of its own."""

from __future__ import annotations

import sqlite3
import weakref
from dataclasses import astuple
from typing import TYPE_CHECKING, Self

from context_memory.domain.recall import terms
from context_memory.domain.recall.neighbours import neighbours
from context_memory.domain.recall.weights import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.recall.fusion import Leg
    from context_memory.domain.recall.terms import Asked
    from context_memory.domain.recall.weights import Weights

_TABLE = """
    CREATE VIRTUAL TABLE facts USING fts5(
        said, day, near, stems, parts,
        content='', tokenize="porter unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    )
"""
_WEIGH = "INSERT INTO facts(facts, rank) VALUES ('rank', ?)"
_PUT = "INSERT INTO facts(rowid, said, day, near, stems, parts) VALUES (?, ?, ?, ?, ?, ?)"
_FIND = "SELECT rowid, -rank FROM facts WHERE facts MATCH ? ORDER BY rank LIMIT ?"

type Row = tuple[str, str, str, str, str]
"""What a fact puts into the columns."""


def rows(facts: Sequence[Fact]) -> Iterator[Row]:
    """The rows of the facts of one scope, in their order."""
    words = [terms.indexed(" ".join((fact.text, *fact.keywords))) for fact in facts]
    for fact, own, around in zip(facts, words, neighbours(facts), strict=True):
        near = " ".join(words[place].said for place in around)
        yield own.said, terms.day(fact.created_at), near, own.stems, own.parts


class FullText:
    """Facts by their place, found by their words; the index is made in memory, or in the file `database`."""

    def __init__(self, indexed: Iterable[Row], weights: Weights = DEFAULT, database: str = ":memory:") -> None:
        self._open(sqlite3.connect(database, isolation_level=None, check_same_thread=False))
        self._database.execute(_TABLE)
        self._database.execute(_WEIGH, [f"bm25{astuple(weights)}"])
        self._database.execute("BEGIN")
        self._database.executemany(_PUT, ((place, *row) for place, row in enumerate(indexed)))
        self._database.execute("COMMIT")

    @classmethod
    def of(cls, database: sqlite3.Connection) -> Self:
        """The index that stands in a database; nothing more can be searched with it."""
        index = cls.__new__(cls)
        index._open(database)  # noqa: SLF001 - its own
        return index

    def search(self, text: str, limit: int) -> Leg:
        """Places of the facts that hold a word of `text`, with their BM25 scores, the best first."""
        expression = _expression(terms.asked(text))
        if not expression:
            return []
        found = self._database.execute(_FIND, (expression, limit)).fetchall()
        return [(place, score) for place, score in found if score > 0]

    def _open(self, database: sqlite3.Connection) -> None:
        self._database = database
        weakref.finalize(self, database.close)


def _expression(asked: Asked) -> str:
    """An FTS5 query for any of the words. Each is in quotes, so that none is an operator; words hold no quotes."""
    wanted = {
        "{said near}": asked.words,
        "{day}": tuple(word for word in asked.words if word.isdecimal()) + asked.months,
        "{stems parts}": asked.stems,
        "{stems} ": asked.parts,
    }
    return " OR ".join(f"{columns} : ({_any(words)})" for columns, words in wanted.items() if words)


def _any(words: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)
