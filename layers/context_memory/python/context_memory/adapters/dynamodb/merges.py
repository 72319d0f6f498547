"""`Merges` over the company table."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid4, uuid5

from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.link_items import (
    is_itself,
    merge_item,
    merge_notes,
    merge_of,
    merges_of,
    notes_of,
)
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.domain.ids import UserKey
    from context_memory.domain.merging import Merge


@dataclass(frozen=True, slots=True)
class DynamoMerges:
    """`Merges`, with the function's own role."""

    table: CompanyTable

    def merge(self, company_id: str, merge_id: str) -> Merge | None:
        """A merge as it stands; None when the company has none of that id."""
        item = self.table.item(merges_of(company_id), merge_id)
        return merge_of(company_id, item) if item else None

    def move(self, before: Merge, after: Merge) -> bool:
        """Replace a merge; False when somebody has moved it before."""
        as_read = Expression(condition="#version = :version", values={"version": before.version})
        # The same for the same step: a request whose answer was lost is answered again.
        token = str(uuid5(NAMESPACE_URL, repr(after)))
        try:
            self.table.transact([self.table.put("merge", merge_item(after), as_read)], token=token)
        except CommitRefused:
            return self.merge(after.company_id, after.merge_id) == after
        return True

    def of_user(self, user: UserKey) -> Sequence[Merge]:
        """Merges that are about a user, in the order in which they were asked for."""
        begin = notes_of(user)
        noted = self.table.items(merges_of(user.company_id), begin, only_keys=True)
        found = (self.merge(user.company_id, note["sk"].removeprefix(begin)) for note in noted)
        return [merge for merge in found if merge]

    def note(self, merge: Merge) -> None:
        """See to it that `of_user` finds a merge, if it still stands."""
        partition, there = merges_of(merge.company_id), Expression(condition="attribute_exists(#pk)")
        stands = self.table.check("merge", partition, merge.merge_id, there)
        notes = [self.table.put("note", note) for note in merge_notes(merge)]
        with suppress(CommitRefused):
            self.table.transact([stands, *notes], token=str(uuid4()))

    def remove(self, merge: Merge) -> None:
        """Keep a merge no more; one that somebody has moved on since stays."""
        partition = merges_of(merge.company_id)
        as_read = Expression(condition="#version = :version", values={"version": merge.version})
        gone = self.table.delete(partition, merge.merge_id, as_read)
        notes = [self.table.delete(partition, str(note["sk"])) for note in merge_notes(merge)]
        with suppress(CommitRefused):
            self.table.transact([gone, *notes], token=str(uuid4()))

    def clear_merges(self, company_id: str) -> int:
        """Remove all merges of a company."""
        return sum(map(is_itself, self.table.clear(merges_of(company_id))))
