"""All that is kept of a profile's history, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.ports.users import UserTable

_PAGE = 100


def newest_first(table: UserTable, user: UserKey, epoch: int, *, page: int = _PAGE) -> Iterator[Revision]:
    """Every revision of an epoch, the newest first; so many are read at a time."""
    before: int | None = None
    while some := table.revisions(user, epoch, before=before, limit=page):
        yield from some
        if len(some) < page:
            return
        before = some[-1].turn_count


def oldest_first(table: UserTable, user: UserKey, epoch: int, *, up_to: int) -> tuple[Revision, ...]:
    """Every revision of an epoch until n, the oldest first: those that tell of the version n."""
    found = [revision for revision in newest_first(table, user, epoch) if revision.turn_count <= up_to]
    return tuple(reversed(found))
