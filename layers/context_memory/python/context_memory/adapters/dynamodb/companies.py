"""`<company>##company`, `SETTINGS`: what administrators set for their company. No user's key holds `##`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.domain.enablement import CompanySettings, StoredSettings
from context_memory.domain.errors import VersionConflict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

SERVICE = "DynamoDB"
SETTINGS = "SETTINGS"


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoCompanies:
    """`Companies` over the company table, reached with the function's own role.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    client: DynamoDBClient
    table: str
    own_role: Callable[[], AbstractContextManager[None]]

    def settings(self, company_id: str) -> StoredSettings:
        """The company's settings; the defaults where it has written none."""
        with told_as_ours(SERVICE), self.own_role():
            found = self.client.get_item(TableName=self.table, Key=_key(company_id), ConsistentRead=True)
        return _stored(read_all(found["Item"])) if "Item" in found else StoredSettings(settings=CompanySettings())

    def replace(self, company_id: str, settings: CompanySettings, *, version: int | None) -> StoredSettings:
        """Write all settings in one conditional write.

        Raises:
            VersionConflict: names the version that counts now.
        """
        with told_as_ours(SERVICE), self.own_role():
            try:
                answer = self.client.update_item(
                    TableName=self.table,
                    Key=_key(company_id),
                    ReturnValues="ALL_NEW",
                    **_replacing(settings, version).arguments(),
                )
                return _stored(read_all(answer["Attributes"]))
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
        # The client tries again by itself when an answer is lost: then the one who was faster is this very write.
        now = self.settings(company_id)
        if version is not None and now == StoredSettings(settings=settings, version=version + 1):
            return now
        raise VersionConflict(now.version)


def _replacing(settings: CompanySettings, version: int | None) -> Expression:
    change = "SET #max_tokens = :max_tokens, #legacy = :legacy, #version = if_not_exists(#version, :none) + :one"
    values: dict[str, int | bool] = {
        "max_tokens": settings.max_tokens,
        "legacy": settings.legacy,
        "none": 0,
        "one": 1,
    }
    if version is None:
        return Expression(change=change, values=values)
    if version == 0:
        return Expression(condition="attribute_not_exists(#version)", change=change, values=values)
    return Expression(condition="#version = :version", change=change, values=values | {"version": version})


def _key(company_id: str) -> dict[str, AttributeValueTypeDef]:
    return spelled_all({"pk": f"{company_id}##company", "sk": SETTINGS})


def _stored(item: Mapping[str, Any]) -> StoredSettings:
    return StoredSettings(
        settings=CompanySettings(max_tokens=item["max_tokens"], legacy=item["legacy"]), version=item["version"]
    )
