"""A large scope's facts with their full text in one SQLite file that never changes once it is written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.adapters.fact_documents import IS_CORE, read, written
from context_memory.adapters.indexes.full_text import FullText, rows
from context_memory.adapters.indexes.together import with_core
from context_memory.domain.facts.vectors import Vector
from context_memory.domain.recall.floors import MEASURED
from context_memory.domain.recall.fusion import DEPTH, fused
from context_memory.domain.recall.match import KEYWORDS, MEANING, Match, given_always
from context_memory.domain.recall.nearest import Vectors, by_meaning
from context_memory.domain.recall.ranking import ranked
from context_memory.domain.recall.selection import core_among

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.recall.floors import Floors
    from context_memory.domain.recall.fusion import Leg
    from context_memory.domain.recall.match import Query

_TABLES = """
    CREATE TABLE documents (place INTEGER PRIMARY KEY, document TEXT NOT NULL);
    CREATE TABLE vectors (
        place INTEGER PRIMARY KEY, model TEXT NOT NULL, dimensions INTEGER NOT NULL, bytes BLOB NOT NULL
    );
"""
_FACT = "SELECT document, model, bytes FROM documents LEFT JOIN vectors USING (place) WHERE place = ?"
_CORE = "SELECT document FROM documents WHERE document LIKE ?"
_OF_MODEL = "SELECT place, bytes FROM vectors WHERE model = ? AND dimensions = ? ORDER BY place"


def write_snapshot(file: Path, facts: Sequence[Fact]) -> None:
    """Write a file that `Snapshot` opens; there is none before."""
    FullText(rows(facts), database=str(file))
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.executescript(_TABLES)
        database.execute("BEGIN")
        without = (written(replace(fact, vector=None)) for fact in facts)
        database.executemany("INSERT INTO documents VALUES (?, ?)", enumerate(without))
        vectors = [(place, fact.vector) for place, fact in enumerate(facts) if fact.vector]
        database.executemany(
            "INSERT INTO vectors VALUES (?, ?, ?, ?)",
            [(place, vector.model, vector.dimensions, vector.values) for place, vector in vectors],
        )
        database.execute("COMMIT")
        database.execute("INSERT INTO facts(facts) VALUES ('optimize')")
        database.execute("VACUUM")


class Snapshot:
    """`FactIndex` over one file; what of it is vectors is read when it is first asked for.

    Every method raises `sqlite3.DatabaseError` where the file is none, or is damaged.
    """

    def __init__(self, file: Path, scope: FactScope, floors: Floors = MEASURED) -> None:
        address = f"file:{file}?mode=ro&immutable=1"
        self._database = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        self._full_text = FullText.of(self._database)
        self._scope = scope
        self._floors = floors
        self._vectors: dict[tuple[str, int], Vectors] = {}
        self._core: list[Match] | None = None
        self._one_at_a_time = Lock()

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches among the scope's facts; those of the chat are not looked at.

        Behind them the core facts that nothing in the query asks for, those that were confirmed last.
        """
        with self._one_at_a_time:
            legs = {
                KEYWORDS: self._full_text.search(query.text, DEPTH + 1),
                MEANING: self._by_meaning(query.vector) if query.vector else [],
            }
            found = [(find, self._fact(find.place)) for find in fused(legs)]
            core = self._core_facts()
        cosines = dict(legs[MEANING])
        near = (each for each in found if self._floors.keep(*each, cosines.get(each[0].place, 0.0)))
        matches = (Match(fact, self._scope, find.score, find.legs) for find, fact in near)
        return with_core(ranked(matches, query.limit), core)

    def _core_facts(self) -> list[Match]:
        """Read once: a look at every document."""
        if self._core is None:
            stored = self._database.execute(_CORE, (IS_CORE,))
            core = core_among(read(document) for (document,) in stored)
            self._core = [given_always(fact, self._scope) for fact in core]
        return self._core

    def _by_meaning(self, vector: Vector) -> Leg:
        made = vector.model, vector.dimensions
        if made not in self._vectors:
            stored = self._database.execute(_OF_MODEL, made)
            self._vectors[made] = Vectors(
                ((place, Vector(vector.model, values)) for place, values in stored), vector.dimensions
            )
        return by_meaning([(0, self._vectors[made])], vector, DEPTH + 1)

    def _fact(self, place: int) -> Fact:
        document, model, values = self._database.execute(_FACT, (place,)).fetchone()
        return replace(read(document), vector=Vector(model, values) if model else None)
