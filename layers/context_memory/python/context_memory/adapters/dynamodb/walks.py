"""Walks through companies, moved on by conditional writes of the company table."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast
from uuid import NAMESPACE_URL, uuid5

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.company_items import closing, company_key
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.adapters.dynamodb.walk_items import (
    page_item,
    page_key,
    page_of,
    walk_item,
    walk_key,
    walk_of,
    walk_partition,
    walk_values,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef

    from context_memory.domain.walks import Page, Walk

_REFUSED = "ConditionalCheckFailed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoWalks:
    """`Walks` over the company table.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        own_role: signs with the function's own role, which may touch these items of the table and no others.
    """

    client: DynamoDBClient
    table: str
    own_role: Callable[[], AbstractContextManager[None]]

    def open(self, walk: Walk) -> bool:
        """Keep a new walk; False when there is one of its id already, which stays as it is."""
        with told_as_ours(SERVICE), self.own_role():
            try:
                self.client.put_item(
                    TableName=self.table, Item=walk_item(walk), ConditionExpression="attribute_not_exists(pk)"
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return False
        return True

    def walk(self, company_id: str, job_id: str) -> Walk | None:
        """A walk as it stands; None when the company has none of that id."""
        with told_as_ours(SERVICE), self.own_role():
            found = self.client.get_item(TableName=self.table, Key=walk_key(company_id, job_id), ConsistentRead=True)
        return walk_of(company_id, job_id, read_all(found["Item"])) if "Item" in found else None

    def move(self, before: Walk, after: Walk, page: Page | None = None) -> bool:
        """Replace a walk, and a page of its report, in one transaction; False when somebody has moved it before."""
        as_read = Expression(condition="#version = :before", values={"before": before.version})
        clauses = [self._put(walk_item(after), as_read.arguments())]
        if page is not None:
            clauses.append(self._put(page_item(after, page)))
        return self._transacted(clauses, _token(after, page))

    def start(self, before: Walk, after: Walk) -> bool:
        """Replace a walk and close its company, in one transaction; False when somebody has moved the walk before."""
        # Updates both, so that one right on items of both kinds is enough.
        values = walk_values(after)
        moved = Expression(
            condition="#version = :before",
            change="SET " + ", ".join(f"#{name} = :{name}" for name in values),
            values=values | {"before": before.version},
        )
        clauses = [
            self._update(walk_key(after.company_id, after.job_id), moved),
            self._update(company_key(after.company_id), closing(after.job_id)),
        ]
        return self._transacted(clauses, _token(after, None))

    def _transacted(self, clauses: Sequence[TransactWriteItemTypeDef], token: str) -> bool:
        with told_as_ours(SERVICE), self.own_role():
            try:
                self.client.transact_write_items(TransactItems=clauses, ClientRequestToken=token)
            except ClientError as error:
                if not any(reason.get("Code") == _REFUSED for reason in _reasons(error)):
                    raise
                return False
        return True

    def pages(self, company_id: str, job_id: str, *, after: int, limit: int) -> Sequence[Page]:
        """At most `limit` pages with higher numbers than `after`, in their order."""
        # Two numbers side by side: none lies between them.
        span = {":first": page_key(job_id, after + 1), ":last": f"{job_id}#:"}
        with told_as_ours(SERVICE), self.own_role():
            # A page has at most a hundred short lines: so few of them are one answer.
            found = self.client.query(
                TableName=self.table,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
                ExpressionAttributeValues=spelled_all({":pk": walk_partition(company_id), **span}),
                ConsistentRead=True,
                Limit=limit,
            )
        return [page_of(read_all(item)) for item in found["Items"]]

    def _put(
        self, item: Mapping[str, AttributeValueTypeDef], condition: Mapping[str, Any] = MappingProxyType({})
    ) -> TransactWriteItemTypeDef:
        return self._clause("Put", {"Item": item, **condition})

    def _update(self, key: Mapping[str, AttributeValueTypeDef], change: Expression) -> TransactWriteItemTypeDef:
        return self._clause("Update", {"Key": key, **change.arguments()})

    def _clause(self, kind: str, operation: Mapping[str, Any]) -> TransactWriteItemTypeDef:
        return cast("TransactWriteItemTypeDef", {kind: {"TableName": self.table, **operation}})


def _token(walk: Walk, page: Page | None) -> str:
    """The same for the same step and outcome alone: then a request whose answer was lost is answered again."""
    return str(uuid5(NAMESPACE_URL, repr((walk, page))))


def _reasons(error: ClientError) -> list[dict[str, str]]:
    # botocore adds the modelled members of an error to its response
    return cast("list[dict[str, str]]", cast("Mapping[str, Any]", error.response).get("CancellationReasons", []))
