"""Items of the company table, reached with the function's own role, in whatever partition."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import batched, islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.expressions import Expression, clause
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.adapters.dynamodb.transactions import transact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.expressions import Clause

_NO_CONDITION = Expression()
_TOGETHER = 90
"""Items that one transaction removes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyTable:
    """Consistent reads, and clauses of transactions.

    Args:
        client: DynamoDB, with credentials per request.
        name: of the company table.
        own_role: signs with the function's own role (`AwsClients.own_role`).
        pause: sleeps that many seconds between tries of a write that collided.
    """

    client: DynamoDBClient
    name: str
    own_role: Callable[[], AbstractContextManager[None]]
    pause: Callable[[float], None] = time.sleep

    def item(self, partition: str, sort_key: str) -> dict[str, Any] | None:
        """One item, None when there is none."""
        with told_as_ours(SERVICE), self.own_role():
            found = self.client.get_item(
                TableName=self.name, Key=spelled_all({"pk": partition, "sk": sort_key}), ConsistentRead=True
            )
        return read_all(found["Item"]) if "Item" in found else None

    def items(self, partition: str, beginning: str, *, only_keys: bool = False) -> list[dict[str, Any]]:
        """All items whose sort keys begin so, in the order of the keys."""
        projection: dict[str, Any] = {"ProjectionExpression": "sk"} if only_keys else {}
        with told_as_ours(SERVICE), self.own_role():
            pages = self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :beginning)",
                ExpressionAttributeValues=spelled_all({":pk": partition, ":beginning": beginning}),
                ConsistentRead=True,
                **projection,
            )
            return [read_all(item) for page in pages for item in page["Items"]]

    def some_behind(
        self, partition: str, behind: str, last: str, limit: int, only: Mapping[str, Plain]
    ) -> list[dict[str, Any]]:
        """At most `limit` items whose sort keys come after `behind` and up to `last`, in the order of the keys.

        Args:
            partition: where they stand.
            behind: the sort key that they come after, whether or not it stands there.
            last: the highest sort key that one may have.
            limit: how many at most; among those that are passed over may be any number.
            only: attributes that they must have.
        """
        chosen: dict[str, Any] = {}
        if only:
            chosen["FilterExpression"] = " AND ".join(f"#{name} = :{name}" for name in only)
            chosen["ExpressionAttributeNames"] = {f"#{name}": name for name in only}
        # A range holds both its ends, so that `behind` itself may come first.
        wanted = {":pk": partition, ":behind": behind, ":last": last} | {f":{name}": only[name] for name in only}
        with told_as_ours(SERVICE), self.own_role():
            pages = self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :behind AND :last",
                ExpressionAttributeValues=spelled_all(wanted),
                ConsistentRead=True,
                PaginationConfig={"PageSize": limit + 1},
                **chosen,
            )
            found = (item for page in pages for item in map(read_all, page["Items"]) if item["sk"] != behind)
            return list(islice(found, limit))

    def clear(self, partition: str) -> Sequence[str]:
        """Remove all items of a partition that stand there now.

        Returns:
            Their sort keys.
        """
        with told_as_ours(SERVICE), self.own_role():
            pages = self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues=spelled_all({":pk": partition}),
                ProjectionExpression="sk",
                ConsistentRead=True,
            )
            found = [str(read_all(item)["sk"]) for page in pages for item in page["Items"]]
        for some in batched(found, _TOGETHER, strict=False):
            self.transact([self.delete(partition, sort_key) for sort_key in some], token=str(uuid4()))
        return found

    def check(self, name: str, partition: str, sort_key: str, expression: Expression) -> Clause:
        """A clause that changes nothing."""
        key = spelled_all({"pk": partition, "sk": sort_key})
        return clause(name, "ConditionCheck", {"TableName": self.name, "Key": key}, expression)

    def put(self, name: str, item: Mapping[str, Plain], expression: Expression = _NO_CONDITION) -> Clause:
        """A clause that writes a whole item."""
        return clause(name, "Put", {"TableName": self.name, "Item": spelled_all(item)}, expression)

    def delete(
        self, partition: str, sort_key: str, expression: Expression = _NO_CONDITION, *, name: str = "delete"
    ) -> Clause:
        """A clause that removes an item, or finds it gone."""
        key = spelled_all({"pk": partition, "sk": sort_key})
        return clause(name, "Delete", {"TableName": self.name, "Key": key}, expression)

    def transact(self, clauses: Sequence[Clause], *, token: str) -> None:
        """Do all clauses or none; raises as `transactions.transact`."""
        transact(self.client, clauses, token=token, signing=self.own_role, pause=self.pause)
