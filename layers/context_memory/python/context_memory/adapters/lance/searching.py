"""What a reader asks of a scope's table: two legs, words and vectors, each with the facts that it found."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from lancedb.query import BooleanQuery, FullTextQuery, MatchQuery, Occur

from context_memory.adapters.fact_documents import IS_CORE, read
from context_memory.adapters.lance.rows import DOCUMENT, MODEL, NEAR, SAID, STEMS, VECTOR, dimensions_of
from context_memory.adapters.lance.tables import state_of, told_as_ours
from context_memory.domain.recall.fusion import DEPTH
from context_memory.domain.recall.selection import core_among

if TYPE_CHECKING:
    from lancedb.query import LanceVectorQueryBuilder
    from lancedb.table import Table

    from context_memory.adapters.lance.tables import Tables
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.recall.terms import Asked

_MOST_FOUND = DEPTH + 1  # one more than counts, whose score is the leg's zero
_MOST_READ = 10_000  # core facts of which those that were confirmed last are told
_WEIGHTS = {SAID: 1.0, NEAR: 0.3, STEMS: 0.2}


@dataclass(frozen=True, slots=True)
class Found:
    """A fact with the score that a leg gave it: above 0, comparable within the leg."""

    fact: Fact
    score: float


@dataclass(frozen=True, slots=True)
class Legs:
    """What each leg found, the best first, and core facts."""

    words: tuple[Found, ...]
    vectors: tuple[Found, ...]
    core: tuple[Found, ...] = ()


def legs_of(
    tables: Tables, folder: str, stamp: int | None, asked: Asked, vector: Vector | None, *, core: bool = False
) -> Legs | None:
    """Search the table of a scope; None when it does not stand at `stamp`: what it holds are not the scope's facts.

    Args:
        tables: with the caller's credentials.
        folder: of the scope.
        stamp: of the scope's head; None takes the table as it stands.
        asked: the words that are looked for.
        vector: compared with vectors of its own model only.
        core: whether core facts are wanted, whatever is looked for.

    Raises:
        StoreUnavailable: the table is out of reach.
    """
    with told_as_ours():
        table = tables.known(folder)
        if table is None:
            return None
        state = state_of(table)
        if stamp not in {None, state.stamp}:
            return None
        words = _words(table, asked, state.visible)
        vectors = _vectors(table, vector, state.visible) if vector else ()
        return Legs(words, vectors, _core(table, state.visible) if core else ())


def _words(table: Table, asked: Asked, visible: str) -> tuple[Found, ...]:
    words = {SAID: asked.words, NEAR: (*asked.words, *asked.months), STEMS: (*asked.stems, *asked.parts)}
    wanted: list[tuple[Occur, FullTextQuery]] = [
        (Occur.SHOULD, MatchQuery(" ".join(said), column, boost=_WEIGHTS[column]))  # type: ignore[call-arg] # they have defaults
        for column, said in words.items()
        if said
    ]
    if not wanted:
        return ()
    query = table.search(BooleanQuery(wanted), query_type="fts").where(visible, prefilter=True)
    found = query.select([DOCUMENT, "_score"]).limit(_MOST_FOUND).to_list()
    return tuple(_found(row, row["_score"]) for row in found if row["_score"] > 0)


def _vectors(table: Table, vector: Vector, visible: str) -> tuple[Found, ...]:
    if vector.dimensions != dimensions_of(table.schema) or not any(vector.values):
        return ()
    asked = [float(value) for value in array("b", vector.values)]
    # The name of a model is the environment's, and stands in the condition as a text.
    alike = f"{visible} AND {MODEL} = '{vector.model.replace("'", "''")}'"
    query = cast("LanceVectorQueryBuilder", table.search(asked, vector_column_name=VECTOR))
    nearest = query.distance_type("cosine").where(alike, prefilter=True)
    found = nearest.select([DOCUMENT, "_distance"]).limit(_MOST_FOUND).to_list()
    return tuple(_found(row, 1 - row["_distance"]) for row in found if row["_distance"] < 1)


def _core(table: Table, visible: str) -> tuple[Found, ...]:
    """Those that were confirmed last."""
    stored = (
        table.search()
        .where(f"{visible} AND {DOCUMENT} LIKE '{IS_CORE}'")
        .select([DOCUMENT])
        .limit(_MOST_READ)
        .to_list()
    )
    return tuple(Found(fact, 0.0) for fact in core_among(read(row[DOCUMENT]) for row in stored))


def _found(row: dict[str, Any], score: float) -> Found:
    return Found(read(row[DOCUMENT]), score)
