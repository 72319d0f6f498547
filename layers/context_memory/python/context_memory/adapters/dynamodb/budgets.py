"""What companies have spent: counters of the company table, a few for each company and day.

    pk  <company>##budget        sk  <date>#<shard>        tokens, expires_at

No user's key holds `##`. Several counters, so that a company with many consolidations at once makes none of them hot.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.table import SERVICE

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import date

    from mypy_boto3_dynamodb import DynamoDBClient

SHARDS = 8
KEPT = timedelta(days=40)
"""How long a day's counters stay: past the end of the month that somebody may ask about."""


class DynamoBudgets:
    """`Budgets` over the company table.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        own_role: signs with the function's own role, which may touch these items of the table and no others.
    """

    def __init__(
        self, *, client: DynamoDBClient, table: str, own_role: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._client = client
        self._table = table
        self._own_role = own_role

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day."""
        shard = f"{on.isoformat()}#{secrets.randbelow(SHARDS)}"
        expires_at = int((datetime.combine(on, time(), UTC) + KEPT).timestamp())
        change = Expression(
            change="ADD #tokens :tokens SET #expires_at = :expires_at",
            values={"tokens": tokens, "expires_at": expires_at},
        )
        with told_as_ours(SERVICE), self._own_role():
            self._client.update_item(
                TableName=self._table,
                Key=spelled_all({"pk": _partition(company_id), "sk": shard}),
                **change.arguments(),
            )

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day."""
        with told_as_ours(SERVICE), self._own_role():
            # A day has a few small items: one page always holds them.
            found = self._client.query(
                TableName=self._table,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :day)",
                ExpressionAttributeValues=spelled_all({":pk": _partition(company_id), ":day": f"{on.isoformat()}#"}),
                ConsistentRead=True,
            )
        return sum(read_all(item)["tokens"] for item in found["Items"])


def _partition(company_id: str) -> str:
    return f"{company_id}##budget"
