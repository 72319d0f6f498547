"""A table's rows: one a fact, and one that says which facts count.

A writer may be late, and two may write at once. So each row carries the stamp of the write that brought it, and its key
the generation that it belongs to. The row of state says how far the table has come (`stamp`) and which generation
counts (`floor`). What lies outside of these is not there for a reader: what a late writer left behind as little as what
a writer has brought who is not done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from context_memory.adapters.fact_documents import written
from context_memory.domain.recall.terms import day, indexed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.facts.fact import Fact

KEY, SAID, STEMS, VECTOR, MODEL, DOCUMENT = "key", "said", "stems", "direction", "model", "document"
STATE: Final = "#"
"""Key of the row of state; every other key has a generation before its `#`."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a table has come, and the first stamp of the generation that counts; both 0 in a new table."""

    stamp: int = 0
    floor: int = 0

    @property
    def visible(self) -> str:
        """Condition on the rows that a reader sees."""
        return f"stamp >= {self.floor} AND stamp <= {self.stamp} AND {KEY} != '{STATE}'"


def schema(dimensions: int) -> pa.Schema:
    """Columns of a table whose vectors have so many dimensions; 0: it has none."""
    texts = [pa.field(name, pa.string(), nullable=False) for name in (KEY, SAID, STEMS, MODEL, DOCUMENT)]
    numbers = [pa.field(name, pa.int64(), nullable=False) for name in ("stamp", "floor")]
    vectors = [pa.field(VECTOR, pa.list_(pa.float16(), dimensions))] if dimensions else []
    return pa.schema([*texts, *numbers, *vectors])


def dimensions_of(columns: pa.Schema) -> int:
    """The dimensions of a table's vectors; 0 when it has none."""
    return int(columns.field(VECTOR).type.list_size) if VECTOR in columns.names else 0


def key_of(floor: int, fact_id: str) -> str:
    """Key of a fact's row in a generation."""
    return f"{floor}#{fact_id}"


def rows(facts: Iterable[Fact], *, stamp: int, floor: int, dimensions: int) -> list[dict[str, Any]]:
    """Rows of facts; one whose vector has other dimensions than the table is found by its words only."""
    return [_row(fact, stamp, floor, dimensions) for fact in facts]


def state_row(state: State) -> dict[str, Any]:
    """The row of state."""
    return {
        KEY: STATE,
        "stamp": state.stamp,
        "floor": state.floor,
        **dict.fromkeys((SAID, STEMS, MODEL, DOCUMENT), ""),
    }


def _row(fact: Fact, stamp: int, floor: int, dimensions: int) -> dict[str, Any]:
    words = indexed(" ".join((fact.text, *fact.keywords)))
    fits = fact.vector is not None and fact.vector.dimensions == dimensions
    vector = fact.vector if fits else None
    row = {
        KEY: key_of(floor, fact.id),
        SAID: f"{words.said} {day(fact.created_at)}",
        STEMS: f"{words.stems} {words.parts}",
        MODEL: vector.model if vector else "",
        DOCUMENT: written(fact),
        "stamp": stamp,
        "floor": floor,
    }
    # Half a float holds a byte exactly, and only the direction counts.
    return row | {VECTOR: list(map(float, vector.components))} if vector else row
