"""`<company>##global` and `<company>##space#<space>`: facts that administrators write, with the function's own role.

A scope of a space is noted as `SCOPE#<space>` beside the company's own facts as long as it has a head: so they are all
found when the company is erased, whether or not the space is registered.
"""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.fact_clauses import as_read
from context_memory.adapters.dynamodb.fact_items import fact_item, fact_of, facts_of, head_item, head_of
from context_memory.adapters.dynamodb.transactions import TRIES, given_up
from context_memory.domain.errors import CommitRefused, VersionConflict
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import decode, encode
from context_memory.ports.facts import MOST_ITEMS, Facts, checked_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.expressions import Clause
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.ports.facts import FactsHead

_EPOCH = 0
_SCOPES = "SCOPE#"
_READ_TOGETHER = 20
"""So many facts are read in one query about as fast as one by itself."""


class DynamoSharedFacts:
    """`SharedFacts` over the company table; the port says what each method promises.

    Args:
        table: the company table.
        now: tells the time, from which versions count on.
    """

    def __init__(self, table: CompanyTable, now: Callable[[], datetime]) -> None:
        self._table = table
        self._now = now

    def head(self, scope: SharedScope) -> FactsHead:
        """The head of a scope."""
        return head_of(self._head(scope), _EPOCH)

    def facts(self, scope: SharedScope) -> Facts:
        """Head and facts of a scope, in the order of their ids."""
        return facts_of(self._table.items(scope.partition, keys.FACTS_HEAD), _EPOCH)

    def some(self, scope: SharedScope, ids: Iterable[str]) -> Facts:
        """The head, and those of these facts that stand: each by itself, or where they are many, all in one query."""
        wanted, head = sorted(set(ids)), self.head(scope)
        if len(wanted) * _READ_TOGETHER > head.count:
            return self.facts(scope)
        found = (self._table.item(scope.partition, keys.fact(one)) for one in wanted)
        return Facts(head, tuple(fact_of(item) for item in found if item))

    def page(self, scope: SharedScope, *, after: str | None, limit: int, tier: Tier | None = None) -> Facts:
        """The head, and a page of facts in the order of their ids."""
        behind = keys.fact(after) if after else keys.FACTS
        only = {"tier": tier.value} if tier else {}
        head, items = self.head(scope), self._table.some_behind(scope.partition, behind, keys.FACTS_END, limit, only)
        return Facts(head, tuple(map(fact_of, items)))

    def change(
        self, scope: SharedScope, base: FactsHead, puts: Sequence[Fact], drops: Iterable[str], *, count: int
    ) -> FactsHead:
        """Put and drop facts together in one transaction.

        Raises:
            VersionConflict: names the version that counts now.
        """
        going = sorted(drops)
        checked_changes(puts, going)
        head, write = base.following(count, self._now()), str(uuid4())
        clauses = [self._table.put("facts", head_item(scope.partition, _EPOCH, head, write), as_read(base, _EPOCH))]
        clauses += [self._table.put("fact", fact_item(scope.partition, _EPOCH, fact)) for fact in puts]
        clauses += [self._table.delete(scope.partition, keys.fact(one)) for one in going]
        if not base.version and scope.space_id is not None:
            clauses.append(self._table.put("scope", dict(zip(("pk", "sk"), _noted(scope), strict=True))))
        try:
            self._table.transact(clauses, token=write)
        except CommitRefused as refused:
            stands = self._head(scope)
            # The client tries again by itself when an answer is lost: then the one who was faster is this very write.
            if stands is None or stands["write"] != write:
                raise VersionConflict(head_of(stands, _EPOCH).version) from refused
        return head

    def scopes(self, company_id: str) -> Sequence[SharedScope]:
        """Scopes of a company in which something stands."""
        company = SharedScope(company_id)
        noted = [item["sk"].removeprefix(_SCOPES) for item in self._table.items(company.partition, _SCOPES)]
        own = [company] if self._head(company) else []
        return [*own, *(SharedScope(company_id, decode(space, "space_id")) for space in noted)]

    def clear(self, scope: SharedScope) -> int:
        """Remove a scope whole. Its head moves on first, so that whoever began before is refused, and goes last."""
        removed = 0
        for _ in range(TRIES):
            base = self.head(scope)
            if not base.version:
                return removed
            try:
                fenced = self.change(scope, base, (), (), count=0)
                removed += self._delete_facts(scope)
                self._table.transact(list(self._last(scope, fenced)), token=str(uuid4()))
            except (VersionConflict, CommitRefused):
                continue  # somebody has written something new meanwhile
            return removed
        raise given_up()

    def _last(self, scope: SharedScope, fenced: FactsHead) -> Iterator[Clause]:
        yield self._table.delete(scope.partition, keys.FACTS_HEAD, as_read(fenced, _EPOCH))
        if scope.space_id is not None:
            yield self._table.delete(*_noted(scope))

    def _delete_facts(self, scope: SharedScope) -> int:
        found = self._table.items(scope.partition, keys.FACTS, only_keys=True)
        for some in batched(found, MOST_ITEMS, strict=False):
            clauses = [self._table.delete(scope.partition, item["sk"]) for item in some]
            self._table.transact(clauses, token=str(uuid4()))
        return len(found)

    def _head(self, scope: SharedScope) -> dict[str, Any] | None:
        return self._table.item(scope.partition, keys.FACTS_HEAD)


def _noted(scope: SharedScope) -> tuple[str, str]:
    """Where the scope of a space is noted."""
    return SharedScope(scope.company_id).partition, f"{_SCOPES}{encode(scope.space_id or '', 'space_id')}"
