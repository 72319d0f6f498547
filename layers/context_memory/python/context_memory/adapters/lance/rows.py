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
from context_memory.domain.recall.neighbours import neighbours
from context_memory.domain.recall.terms import day, indexed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact

KEY, MODEL, DOCUMENT, VECTOR = "key", "model", "document", "direction"
SAID, NEAR, STEMS = "said", "near", "stems"
"""Words of the fact and its keywords; of its day and of what was said around it; their stems and parts."""
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
    texts = [pa.field(name, pa.string(), nullable=False) for name in (KEY, SAID, NEAR, STEMS, MODEL, DOCUMENT)]
    numbers = [pa.field(name, pa.int64(), nullable=False) for name in ("stamp", "floor")]
    vectors = [pa.field(VECTOR, pa.list_(pa.float16(), dimensions))] if dimensions else []
    return pa.schema([*texts, *numbers, *vectors])


def dimensions_of(columns: pa.Schema) -> int:
    """The dimensions of a table's vectors; 0 when it has none."""
    return int(columns.field(VECTOR).type.list_size) if VECTOR in columns.names else 0


def key_of(floor: int, fact_id: str) -> str:
    """Key of a fact's row in a generation."""
    return f"{floor}#{fact_id}"


def rows(facts: Sequence[Fact], *, stamp: int, floor: int, dimensions: int) -> list[dict[str, Any]]:
    """Rows of facts; one whose vector has other dimensions than the table is found by its words only."""
    words = [indexed(" ".join((fact.text, *fact.keywords))) for fact in facts]
    return [
        {
            KEY: key_of(floor, fact.id),
            SAID: own.said,
            NEAR: " ".join((day(fact.created_at), *(words[place].said for place in around))),
            STEMS: f"{own.stems} {own.parts}",
            DOCUMENT: written(fact),
            "stamp": stamp,
            "floor": floor,
            **_direction(fact, dimensions),
        }
        for fact, own, around in zip(facts, words, neighbours(facts), strict=True)
    ]


def state_row(state: State) -> dict[str, Any]:
    """The row of state."""
    return {
        KEY: STATE,
        "stamp": state.stamp,
        "floor": state.floor,
        **dict.fromkeys((SAID, NEAR, STEMS, MODEL, DOCUMENT), ""),
    }


def _direction(fact: Fact, dimensions: int) -> dict[str, Any]:
    vector = fact.vector
    if vector is None or vector.dimensions != dimensions or not any(vector.values):
        return {MODEL: ""}
    # Half a float holds a byte exactly, and only the direction counts.
    return {MODEL: vector.model, VECTOR: list(map(float, vector.components))}
