"""What a writer does to a scope's table: each time one commit, so that a reader sees all of it or nothing."""

from __future__ import annotations

import re
import warnings
from datetime import timedelta
from typing import TYPE_CHECKING

import pyarrow as pa

from context_memory.adapters.lance.rows import KEY, State, dimensions_of, key_of, rows, state_row
from context_memory.adapters.lance.tables import state_of, told_as_ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lancedb.table import Table

    from context_memory.adapters.lance.tables import Tables
    from context_memory.domain.facts.fact import Fact

_ID = re.compile(r"[0-9a-f]{1,64}")
_NOW = timedelta(0)


class TableWriter:
    """Writes the table of one scope.

    Args:
        tables: with credentials that may write there.
        folder: of the scope.
        dimensions: of the vectors of what is written; None: there are none, and the table may stay as it is.
    """

    def __init__(self, tables: Tables, folder: str, dimensions: int | None) -> None:
        self._tables = tables
        self._folder = folder
        self._dimensions = dimensions

    def bring(self, facts: Sequence[Fact], stamp: int) -> None:
        """Bring some of the facts that `replace` completes; nobody sees them before."""
        with told_as_ours():
            if (table := self._behind(stamp)) is not None:
                _merge(table, _rows(table, facts, stamp, stamp), stamp, gone=None)

    def replace(self, facts: Sequence[Fact], stamp: int) -> None:
        """Let these, with those that were brought before, be all facts of the scope; a newer write is left alone."""
        with told_as_ours():
            if (table := self._behind(stamp)) is not None:
                _commit(table, _rows(table, facts, stamp, stamp), State(stamp, stamp), gone=f"stamp < {stamp}")
                _settle(table)
            elif (known := self._tables.known(self._folder)) is not None and state_of(known).stamp == stamp:
                _settle(known)  # who brought this in may have died before older versions were gone

    def change(self, puts: Sequence[Fact], drops: Iterable[str], base: int, stamp: int) -> bool:
        """Bring a change in that was made of the facts as they stood at `base`.

        Returns:
            Whether the table has come so far; if not, nothing was changed, and all of it must be replaced.
        """
        with told_as_ours():
            table = self._tables.known(self._folder)
            if table is None or not self._fits(table):
                return False
            state = state_of(table)
            if state.stamp >= stamp:
                if state.stamp == stamp:
                    _settle(table)  # who brought this in may have died before older versions were gone
                return True
            if state.stamp != base:
                return False
            keys = ", ".join(f"'{key_of(state.floor, _checked(one))}'" for one in drops)
            gone = f"{KEY} IN ({keys})" if keys else None
            _commit(table, _rows(table, puts, stamp, state.floor), State(stamp, state.floor), gone=gone)
            _settle(table)
            return True

    def _behind(self, stamp: int) -> Table | None:
        """The table, for vectors of the right size; None when it has come as far as `stamp`."""
        wanted = self._dimensions or 0
        table = self._tables.made(self._folder, wanted)
        if state_of(table).stamp >= stamp:
            return None
        return table if self._fits(table) else self._tables.anew(self._folder, wanted)

    def _fits(self, table: Table) -> bool:
        return self._dimensions in {None, dimensions_of(table.schema)}


def _rows(table: Table, facts: Sequence[Fact], stamp: int, floor: int) -> list[dict[str, object]]:
    return rows(facts, stamp=stamp, floor=floor, dimensions=dimensions_of(table.schema))


def _commit(table: Table, brought: list[dict[str, object]], state: State, *, gone: str | None) -> None:
    _merge(table, [*brought, state_row(state)], state.stamp, gone=gone)


def _merge(table: Table, brought: list[dict[str, object]], stamp: int, *, gone: str | None) -> None:
    """Put rows where no newer ones stand, and drop those of `gone` that are not among them, in one commit.

    Two commits at once are brought in one behind the other: S3 makes the next manifest for one of them only.
    """
    merge = table.merge_insert(KEY).when_matched_update_all(where=f"target.stamp < {stamp}")
    merge = merge.when_not_matched_insert_all()
    if gone is not None:
        merge = merge.when_not_matched_by_source_delete(gone)
    # The library takes a row without a vector for a bad one.
    merge.execute(pa.Table.from_pylist(brought, schema=table.schema), on_bad_vectors="null")


def _settle(table: Table) -> None:
    """Index what is new, and leave nothing of what is gone: older versions of the table would still hold its text."""
    table.checkout_latest()  # type: ignore[no-untyped-call] # its signature has no types
    with warnings.catch_warnings():
        # It warns of readers of older versions, who open the table again.
        warnings.simplefilter("ignore", UserWarning)
        table.optimize(cleanup_older_than=_NOW)


def _checked(fact_id: str) -> str:
    if not _ID.fullmatch(fact_id):
        raise ValueError("An id of a fact is hex digits.")
    return fact_id
