"""How often answers cited a user's facts."""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression, update
from context_memory.domain.errors import CommitRefused
from context_memory.ports.facts import MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey

_USED = Expression(condition="attribute_exists(#pk)", change="ADD #uses :one", values={"one": 1})


def cite(writes: Writes, user: UserKey, ids: Iterable[str]) -> None:
    """Count one use of each fact that is there."""
    for some in batched(sorted(set(ids)), MOST_ITEMS, strict=False):
        _cite(writes, user, some)


def _cite(writes: Writes, user: UserKey, ids: Sequence[str]) -> None:
    while ids:
        clauses = [update(one, writes.table, user, keys.fact(one), _USED) for one in ids]
        try:
            # A transaction for its token's sake: the client's own retries must not count a use twice.
            writes.transact(user, clauses, token=str(uuid4()))
        except CommitRefused as refused:
            ids = [one for one in ids if one not in refused.clauses]
        else:
            return
