"""`LinksOfUsers`: notes beside the links say what each user has, so that an erase reads nothing else."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.link_items import LAST, belonging, belongings_of, is_itself, links_of
from context_memory.domain.errors import CommitRefused
from context_memory.domain.links import Provider

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True)
class DynamoLinksOfUsers:
    """`LinksOfUsers`, with the function's own role."""

    table: CompanyTable

    def of_user(self, user: UserKey, *, limit: int, after: Provider | None = None) -> Sequence[Provider]:
        """At most `limit` providers that belong to a user."""
        begin = belongings_of(user)
        behind = belonging(user, after) if after else begin
        found = self.table.some_behind(links_of(user.company_id), behind, f"{begin}{LAST}", limit, {})
        return [Provider.from_segment(item["sk"].removeprefix(begin)) for item in found]

    def let_go(self, user: UserKey, provider: Provider) -> None:
        """Let a provider belong to nobody, if it still is the user's."""
        partition = links_of(user.company_id)
        not_anothers = Expression(
            condition="attribute_not_exists(#pk) OR #user_id = :user_id", values={"user_id": user.user_id}
        )
        link = self.table.delete(partition, provider.spelled, not_anothers)
        note = self.table.delete(partition, belonging(user, provider))
        with suppress(CommitRefused):  # whoever linked it to somebody else has taken the note away, too
            self.table.transact([link, note], token=str(uuid4()))

    def clear_links(self, company_id: str) -> int:
        """Remove all links of a company, and what is declared beside them."""
        return sum(map(is_itself, self.table.clear(links_of(company_id))))
