"""`Merges` over the company table."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid4, uuid5

from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.link_items import merge_item, merge_of, merges_of
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.company_table import CompanyTable
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

    def remove(self, merge: Merge) -> None:
        """Keep a merge no more; one that somebody has moved on since stays."""
        as_read = Expression(condition="#version = :version", values={"version": merge.version})
        gone = self.table.delete(merges_of(merge.company_id), merge.merge_id, as_read)
        with suppress(CommitRefused):
            self.table.transact([gone], token=str(uuid4()))

    def clear_merges(self, company_id: str) -> int:
        """Remove all merges of a company."""
        return len(self.table.clear(merges_of(company_id)))
