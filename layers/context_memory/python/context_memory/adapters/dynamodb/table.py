"""The user table as requests see it: a name, a client, and who signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.keys import key
from context_memory.adapters.sts import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

SERVICE = "DynamoDB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Reads of one user's items, all of them consistent.

    Args:
        client: DynamoDB, with credentials per request.
        name: of the user table.
        credentials: signs for one user.
        reading_as: role that reads; load has the read role only, what also writes reads with the write role.
    """

    client: DynamoDBClient
    name: str
    credentials: UserCredentials
    reading_as: Role = Role.READ

    def item(self, user: UserKey, sort_key: str) -> dict[str, Any] | None:
        """One item, None when there is none."""
        with told_as_ours(SERVICE), self.credentials.signing(user, self.reading_as):
            found = self.client.get_item(TableName=self.name, Key=key(user, sort_key), ConsistentRead=True)
        return read_all(found["Item"]) if "Item" in found else None

    def items(self, user: UserKey, beginning: str, *, only: str | None = None) -> Iterator[dict[str, Any]]:
        """All items whose sort keys begin so, in the order of the keys; with `only`, that one attribute of them."""
        projection: dict[str, Any] = (
            {"ProjectionExpression": "#only", "ExpressionAttributeNames": {"#only": only}} if only else {}
        )
        with told_as_ours(SERVICE), self.credentials.signing(user, self.reading_as):
            pages = self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :beginning)",
                ExpressionAttributeValues=spelled_all({":pk": user.partition, ":beginning": beginning}),
                ConsistentRead=True,
                **projection,
            )
            found = [item for page in pages for item in page["Items"]]
        return map(read_all, found)

    def newest(self, user: UserKey, first: str, last: str, *, limit: int) -> list[dict[str, Any]]:
        """At most `limit` items with sort keys from `first` to `last`, the highest key first."""
        with told_as_ours(SERVICE), self.credentials.signing(user, self.reading_as):
            pages = self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :beginning AND :end",
                ExpressionAttributeValues=spelled_all({":pk": user.partition, ":beginning": first, ":end": last}),
                ConsistentRead=True,
                ScanIndexForward=False,
                PaginationConfig={"PageSize": limit, "MaxItems": limit},
            )
            return [read_all(item) for page in pages for item in page["Items"]]
