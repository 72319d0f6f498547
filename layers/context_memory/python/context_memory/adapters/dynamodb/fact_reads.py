"""Reading facts with the credentials of the user who asks: their own, and those that are shared with them.

One query brings a user's settings, head and facts, in this order (`A#SETTINGS` < `EXTRACT#…` < `FACT` < `FACT#…`). So
what is shown is of the epoch that counted before the first fact was read, and is at least as new as the head.
"""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING, Any

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.fact_items import fact_of, facts_of, head_of
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.scopes import SharedScope, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, KeysAndAttributesTypeDef

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import Facts, FactsHead

_BETWEEN = "pk = :pk AND sk BETWEEN :first AND :last"
_SHARED_EPOCH = 0
_NOTHING_LEFT: KeysAndAttributesTypeDef = {"Keys": ()}
_AT_ONCE, _TRIES = 100, 3
"""Items of one request, the most that there may be; requests for what the one before left."""

type _Item = Mapping[str, AttributeValueTypeDef]


class DynamoFactReads:
    """`FactReads` over both tables; the port says what each method promises.

    Args:
        table: the user table.
        company_table: name of the company table.
    """

    def __init__(self, table: Table, company_table: str) -> None:
        self._table = table
        self._company_table = company_table

    def head(self, user: UserKey, scope: FactScope) -> FactsHead:
        """The head of a scope that the user may read."""
        items = {item["sk"]: item for item in self._items(user, scope, keys.FACTS_HEAD)}
        return head_of(items.get(keys.FACTS_HEAD), _epoch(items.get(keys.SETTINGS)))

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope that the user may read, in the order of their ids."""
        items = list(self._items(user, scope, keys.FACTS_END))
        first = items[0] if items else None
        return facts_of(items, _epoch(first if first and first["sk"] == keys.SETTINGS else None))

    def named(self, user: UserKey, scope: SharedScope, ids: Iterable[str]) -> Sequence[Fact]:
        """Those facts of a shared scope that still stand, in no particular order."""
        readable(scope, user)
        table = self._table
        wanted = [{"pk": scope.partition, "sk": keys.fact(one)} for one in dict.fromkeys(ids)]
        with told_as_ours(SERVICE), table.credentials.signing(user, table.reading_as):
            found = [
                item for some in batched(wanted, _AT_ONCE, strict=False) for item in self._batch(map(spelled_all, some))
            ]
        return [fact_of(read_all(item)) for item in found]

    def _batch(self, wanted: Iterable[_Item]) -> Sequence[_Item]:
        """Items of the company table by their keys; DynamoDB may leave some of them for another request.

        Raises:
            StoreUnavailable: it leaves some time and again, so that nobody knows about them.
        """
        found: list[_Item] = []
        left: Sequence[Mapping[str, Any]] = list(wanted)
        for _ in range(_TRIES):
            if not left:
                break
            asked: KeysAndAttributesTypeDef = {"Keys": left, "ConsistentRead": True}
            answer = self._table.client.batch_get_item(RequestItems={self._company_table: asked})
            found += answer["Responses"].get(self._company_table, ())
            left = answer["UnprocessedKeys"].get(self._company_table, _NOTHING_LEFT)["Keys"]
        if left:
            raise StoreUnavailable("DynamoDB answered for some of the items only.")
        return found

    def first(self, user: UserKey, scope: SharedScope, most: int) -> Sequence[Fact]:
        """At most so many facts of a shared scope, in the order of their ids."""
        items = list(self._items(user, scope, keys.FACTS_END, most=most + 1))  # the head comes first
        return facts_of(items, _SHARED_EPOCH).facts

    def _items(
        self, user: UserKey, scope: FactScope, last: str, *, most: int | None = None
    ) -> Iterator[dict[str, Any]]:
        shared = isinstance(readable(scope, user), SharedScope)
        table = self._table
        with told_as_ours(SERVICE), table.credentials.signing(user, table.reading_as):
            pages = table.client.get_paginator("query").paginate(
                TableName=self._company_table if shared else table.name,
                KeyConditionExpression=_BETWEEN,
                ExpressionAttributeValues=spelled_all(
                    {
                        ":pk": scope.partition,
                        ":first": keys.FACTS_HEAD if shared else keys.SETTINGS,
                        ":last": last,
                    }
                ),
                ConsistentRead=True,
                PaginationConfig={} if most is None else {"MaxItems": most},
            )
            found = [item for page in pages for item in page["Items"]]
        return map(read_all, found)


def _epoch(settings: dict[str, Any] | None) -> int:
    """Of the user's memory; shared scopes have no settings beside them, and never another epoch."""
    return settings["epoch"] if settings else _SHARED_EPOCH
