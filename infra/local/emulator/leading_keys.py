"""The condition key `dynamodb:LeadingKeys`: the partition keys that a request names.

The emulator never sets it, and `ForAllValues` over a key that is not there is true: user A would read user B.
"""

from __future__ import annotations

import base64
import importlib
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_EQUALITY = re.compile(r"([#\w.\-]+)\s*=\s*(:\w+)")


def leading_keys(request: dict[str, Any], tables: Mapping[str, Any]) -> list[str]:
    """Partition keys that a DynamoDB request names; none for a Scan, PartiQL or a table that does not exist.

    Args:
        request: the body of the request.
        tables: descriptions of tables by name, with `KeySchema` and indexes as DynamoDB describes them.
    """
    return [key for key in _Request(tables).named(request) if key is not None]


class _Request:
    """Reads requests against the tables that there are."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables

    def named(self, request: dict[str, Any]) -> Iterator[str | None]:
        table = request.get("TableName")
        if isinstance(table, str):
            for part in ("Key", "Item"):
                yield self._key_of(table, request.get(part))
            yield from self._queried(table, request)
        batches = request.get("RequestItems")
        for name, batch in batches.items() if isinstance(batches, dict) else ():
            yield from self._batched(name, batch)
        for entry in request.get("TransactItems") or ():
            for part in entry.values():
                if isinstance(part, dict) and isinstance(part.get("TableName"), str):
                    yield self._key_of(part["TableName"], part.get("Key") or part.get("Item"))

    def _batched(self, table: str, batch: dict[str, Any] | list[dict[str, Any]]) -> Iterator[str | None]:
        if isinstance(batch, dict):
            for key in batch.get("Keys", ()):
                yield self._key_of(table, key)
            return
        for write in batch:
            yield self._key_of(
                table, (write.get("PutRequest") or {}).get("Item") or (write.get("DeleteRequest") or {}).get("Key")
            )

    def _queried(self, table: str, request: dict[str, Any]) -> Iterator[str | None]:
        index = request.get("IndexName")
        partition_key = self._partition_key(table, index)
        names = request.get("ExpressionAttributeNames") or {}
        values = request.get("ExpressionAttributeValues") or {}
        for left, right in _EQUALITY.findall(request.get("KeyConditionExpression") or ""):
            if names.get(left, left) == partition_key:
                yield _scalar(values.get(right))
        for attribute, condition in (request.get("KeyConditions") or {}).items():
            if attribute == partition_key:
                yield from map(_scalar, condition.get("AttributeValueList", ()))

    def _key_of(self, table: str, item: dict[str, Any] | None) -> str | None:
        partition_key = self._partition_key(table)
        return _scalar((item or {}).get(partition_key)) if partition_key else None

    def _partition_key(self, name: str, index: str | None = None) -> str | None:
        table = self._tables.get(name.rsplit("table/", 1)[-1])
        if table is None:
            return None
        schema = table.get("KeySchema", [])
        for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            for one in table.get(kind) or ():
                if index and one.get("IndexName") == index:
                    schema = one.get("KeySchema", [])
        return next((attribute["AttributeName"] for attribute in schema if attribute["KeyType"] == "HASH"), None)


def _scalar(value: dict[str, Any] | None) -> str | None:
    """The one value of a DynamoDB attribute as IAM compares it."""
    if not isinstance(value, dict):
        return None
    if "B" in value and isinstance(value["B"], bytes):
        return base64.b64encode(value["B"]).decode()
    return next((str(value[kind]) for kind in ("S", "N", "B") if kind in value), None)


def install(actions: Any) -> None:
    """Add the key to the context in which DynamoDB requests are decided."""
    dynamodb = importlib.import_module("ministack.services.dynamodb")
    stock = actions.dynamodb_service_context

    def service_context(body: bytes | None) -> dict[str, Any]:
        context: dict[str, Any] = stock(body)
        try:
            request = json.loads(body or b"{}")
        except ValueError:
            return context
        keys = leading_keys(request, dynamodb._tables) if isinstance(request, dict) else []
        if keys:
            context["dynamodb:LeadingKeys"] = keys
        return context

    actions.dynamodb_service_context = service_context
