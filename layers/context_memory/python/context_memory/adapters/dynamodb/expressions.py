"""Conditions and changes of items, as requests spell them.

Every attribute is written `#name` and every value `:name`, so that no reserved word of DynamoDB ever matters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.adapters.dynamodb.keys import key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.ids import UserKey

_NAME = re.compile(r"#(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """What must hold of an item (`condition`, "" for nothing), and what becomes of it (`change`, updates only)."""

    condition: str = ""
    change: str = ""
    values: Mapping[str, Plain] = field(default_factory=dict)

    def arguments(self) -> dict[str, Any]:
        """The arguments of a request that say it."""
        said = {"ConditionExpression": self.condition, "UpdateExpression": self.change}
        names = {f"#{name}": name for name in _NAME.findall(f"{self.condition} {self.change}")}
        values = spelled_all({f":{name}": value for name, value in self.values.items()})
        said_about = {"ExpressionAttributeNames": names, "ExpressionAttributeValues": values}
        return {name: value for name, value in (said | said_about).items() if value}


def replacing(values: Mapping[str, Plain], *, version: int | None, first: int) -> Expression:
    """A write of all `values` on top of `version` (0: of none; None: of whatever there is), which counts it.

    `first` is the version that what was not there before has then.
    """
    assigned = ", ".join(f"#{name} = :{name}" for name in values)
    change = f"SET {assigned}, #version = if_not_exists(#version, :before_first) + :one"
    written = {**values, "before_first": first - 1, "one": 1}
    if version is None:
        return Expression(change=change, values=written)
    if version == 0:
        return Expression(condition="attribute_not_exists(#version)", change=change, values=written)
    return Expression(condition="#version = :version", change=change, values=written | {"version": version})


@dataclass(frozen=True, slots=True)
class Clause:
    """One operation of a transaction, under the name by which a refusal is told."""

    name: str
    operation: TransactWriteItemTypeDef


def put(name: str, table: Table, item: Mapping[str, Plain], expression: Expression = Expression()) -> Clause:
    """A clause that writes a whole item."""
    return clause(name, "Put", {"TableName": table.name, "Item": spelled_all(item)}, expression)


def update(name: str, table: Table, user: UserKey, sort_key: str, expression: Expression) -> Clause:
    """A clause that changes an item."""
    return clause(name, "Update", {"TableName": table.name, "Key": key(user, sort_key)}, expression)


def check(name: str, table: Table, user: UserKey, sort_key: str, expression: Expression) -> Clause:
    """A clause that changes nothing."""
    return clause(name, "ConditionCheck", {"TableName": table.name, "Key": key(user, sort_key)}, expression)


def delete(name: str, table: Table, user: UserKey, sort_key: str, expression: Expression = Expression()) -> Clause:
    """A clause that removes an item, or finds it gone."""
    return clause(name, "Delete", {"TableName": table.name, "Key": key(user, sort_key)}, expression)


def clause(name: str, kind: str, target: dict[str, Any], expression: Expression = Expression()) -> Clause:
    """A clause about whatever item of whatever table."""
    return Clause(name, cast("TransactWriteItemTypeDef", {kind: target | expression.arguments()}))
