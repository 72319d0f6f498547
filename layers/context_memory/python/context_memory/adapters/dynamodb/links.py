"""`LinkReads` and `Links` over the company table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.link_items import (
    DECLARED,
    LAST,
    belonging,
    declaration_item,
    declaration_of,
    link_item,
    link_of,
    links_of,
    merge_item,
    merge_notes,
)
from context_memory.domain.errors import CommitRefused, VersionConflict
from context_memory.domain.ids import UserKey
from context_memory.domain.links import Declaration
from context_memory.ports.links import MOST_LINK_CHANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.domain.links import Link, LinkChange, Provider
    from context_memory.domain.merging import Merge

_LINK, _DECLARATION = "link", "declaration"


@dataclass(frozen=True, slots=True)
class DynamoLinkReads:
    """`LinkReads`: one consistent read a request, with the function's own role."""

    table: CompanyTable

    def link(self, company_id: str, provider: Provider) -> Link | None:
        """The link of a provider as it stands at this moment; None when it belongs to nobody."""
        item = self.table.item(links_of(company_id), provider.spelled)
        return link_of(item) if item else None


class DynamoLinks(DynamoLinkReads):
    """`Links`; the port says what each method promises."""

    def links(self, company_id: str, *, limit: int, after: Provider | None = None) -> Sequence[Link]:
        """At most `limit` links in the order of their spelled providers, those behind `after`."""
        behind = after.spelled if after else DECLARED
        return [link_of(item) for item in self.table.some_behind(links_of(company_id), behind, LAST, limit, {})]

    def declaration(self, company_id: str) -> Declaration:
        """What is declared beside the links."""
        return declaration_of(self.table.item(links_of(company_id), DECLARED))

    def declare(self, company_id: str, privileged: frozenset[str], before: Declaration) -> Declaration:
        """Begin another declared list."""
        after = Declaration(privileged, before.version + 1)
        item = declaration_item(company_id, after)
        try:
            self.table.transact([self.table.put(_DECLARATION, item, _as_read(before.version))], token=str(uuid4()))
        except CommitRefused as refused:
            raise VersionConflict(self.declaration(company_id).version) from refused
        return after

    def write(
        self,
        company_id: str,
        changes: Sequence[LinkChange],
        *,
        declaration: Declaration | None = None,
        merge: Merge | None = None,
    ) -> None:
        """Make the changes, and keep a new merge, in one transaction.

        Raises:
            CommitRefused: names the clauses that failed.
            ValueError: more changes than one transaction holds.
        """
        if len(changes) > MOST_LINK_CHANGES:
            raise ValueError(f"One write changes at most {MOST_LINK_CHANGES} links.")
        self.table.transact(list(self._clauses(company_id, changes, declaration, merge)), token=str(uuid4()))

    def _clauses(
        self, company_id: str, changes: Sequence[LinkChange], declaration: Declaration | None, merge: Merge | None
    ) -> Iterator[Clause]:
        for change in changes:
            as_read = _as_read(change.before.version if change.before else 0)
            if change.after:
                yield self.table.put(_LINK, link_item(company_id, change.after), as_read)
                new = belonging(UserKey(company_id, change.after.user_id), change.provider)
                yield self.table.put("belonging", {"pk": links_of(company_id), "sk": new})
            else:
                yield self.table.delete(links_of(company_id), change.provider.spelled, as_read, name=_LINK)
            if change.left is not None:
                old = belonging(UserKey(company_id, change.left), change.provider)
                yield self.table.delete(links_of(company_id), old)
        if declaration:
            yield self.table.check(_DECLARATION, links_of(company_id), DECLARED, _as_read(declaration.version))
        if merge:
            yield self.table.put("merge", merge_item(merge), _as_read(0))
            for note in merge_notes(merge):
                yield self.table.put("note", note)


def _as_read(version: int) -> Expression:
    if not version:
        return Expression(condition="attribute_not_exists(#pk)")
    return Expression(condition="#version = :version", values={"version": version})
