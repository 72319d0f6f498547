"""Lets moto back a table up once for each request.

It copies the whole table, item by item, again for every item of a transaction, before it writes the first: what a
hundred items cost grows with the square of what is stored. All those copies are alike, so that one does for all.
"""

from __future__ import annotations

import copy
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from moto.dynamodb.models.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

_MADE: ContextVar[dict[int, Table] | None] = ContextVar("made", default=None)
"""Copies that were made for the request that is being answered, by the identity of what they are copies of."""


@contextmanager
def one_backup() -> Iterator[None]:
    """Answer one request to moto, which writes nothing before its last backup."""
    made = _MADE.set({})
    try:
        yield
    finally:
        _MADE.reset(made)


def _copied(table: Table, memo: dict[int, Any]) -> Table:
    made = _MADE.get()
    if made is None:
        return _copy(table, memo)
    if id(table) not in made:
        made[id(table)] = _copy(table, memo)
    return made[id(table)]


def _copy(table: Table, memo: dict[int, Any]) -> Table:
    new: Table = object.__new__(type(table))
    memo[id(table)] = new
    vars(new).update(copy.deepcopy(vars(table), memo))
    return new


Table.__deepcopy__ = _copied  # type: ignore[attr-defined]  # moto leaves it to Python, which asks for it by this name
