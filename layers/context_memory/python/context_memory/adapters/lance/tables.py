"""The tables of one caller: opened with the credentials that came with the request, and with nothing else."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import lancedb
from lancedb.index import FTS

from context_memory.adapters.lance.rows import KEY, NEAR, SAID, STATE, STEMS, State, schema
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lancedb.db import DBConnection
    from lancedb.table import Table

NAME = "facts"
_PANIC = "RustPanic"
"""Class of what the library raises when two writers tidy up at once; it exports none."""
_WORDS = FTS(
    # The words are ours already: folded, without endings, pairs of characters of scripts that have no blanks.
    base_tokenizer="simple",
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where tables lie, and how to reach them: `s3://<bucket>`, and options of the object store with credentials."""

    root: str
    options: Mapping[str, str] = field(repr=False)

    def uri(self, folder: str) -> str:
        """Address of a scope's tables; `folder` ends with a slash."""
        return f"{self.root}/{folder}lance"


class Tables:
    """Opens, makes and empties the table of a scope.

    Each method raises `StoreUnavailable` when the table is out of reach, or out of the credentials' reach.

    Args:
        place: with the caller's credentials.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    def known(self, folder: str) -> Table | None:
        """The table of a scope, None when it has none."""
        with told_as_ours():
            connection = self._connected(folder)
            return connection.open_table(NAME) if NAME in connection.list_tables().tables else None

    def made(self, folder: str, dimensions: int) -> Table:
        """The table of a scope as it stands, or a new one for vectors of so many dimensions."""
        with told_as_ours():
            made = self._connected(folder).create_table
            return self.known(folder) or _indexed(made(NAME, schema=schema(dimensions), exist_ok=True))

    def anew(self, folder: str, dimensions: int) -> Table:
        """An empty table in place of the one that stands."""
        with told_as_ours():
            return _indexed(self._connected(folder).create_table(NAME, schema=schema(dimensions), mode="overwrite"))

    def _connected(self, folder: str) -> DBConnection:
        return lancedb.connect(self._place.uri(folder), storage_options=dict(self._place.options))


def state_of(table: Table) -> State:
    """How far a table has come."""
    found = table.search().where(f"{KEY} = '{STATE}'").select(["stamp", "floor"]).limit(1).to_list()
    return State(found[0]["stamp"], found[0]["floor"]) if found else State()


@contextmanager
def told_as_ours() -> Iterator[None]:
    """Turn whatever the library raises inside into an error that quotes no address and no text.

    Raises:
        StoreUnavailable: names the class of what was raised.
    """
    try:
        yield
    except Exception as error:
        if not (isinstance(error, (OSError, RuntimeError, ValueError)) or type(error).__name__ == _PANIC):
            raise
        ours = StoreUnavailable(f"The index's table is out of reach ({type(error).__name__}).")
    else:
        return
    try:
        raise ours
    finally:
        ours.__context__ = None  # it quotes addresses, which name users


def _indexed(table: Table) -> Table:
    for column in (SAID, NEAR, STEMS):
        table.create_index(column, config=_WORDS)
    return table
