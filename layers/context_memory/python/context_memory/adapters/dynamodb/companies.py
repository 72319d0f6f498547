"""`<company>##company`, `SETTINGS`: what administrators set for their company."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all
from context_memory.adapters.dynamodb.company_items import company_key, company_values, opening, stored_company
from context_memory.adapters.dynamodb.expressions import replacing
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.errors import EraseRunning, VersionConflict

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.domain.company_settings import CompanySettings, StoredSettings


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
            found = self.client.get_item(TableName=self.table, Key=company_key(company_id), ConsistentRead=True)
        return stored_company(read_all(found.get("Item", {})))

    def replace(
        self, company_id: str, settings: CompanySettings, *, version: int | None, opens: StoredSettings | None = None
    ) -> StoredSettings:
        """Write all settings in one conditional write.

        Raises:
            VersionConflict: names the version that counts now.
            EraseRunning: another walk than that of `opens` has closed the company.
        """
        written = replacing(company_values(settings), version=version, first=1)
        if opens is not None:
            written = opening(written, closed_by=opens.closed_by)
        with told_as_ours(SERVICE), self.own_role():
            try:
                answer = self.client.update_item(
                    TableName=self.table,
                    Key=company_key(company_id),
                    ReturnValues="ALL_NEW",
                    **written.arguments(),
                )
                return stored_company(read_all(answer["Attributes"]))
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
        # The client tries again by itself when an answer is lost: then the one who was faster is this very write.
        now = self.settings(company_id)
        if version is not None and (now.settings, now.version) == (settings, version + 1):
            return now
        if opens is not None and version in {None, now.version}:
            raise EraseRunning("The company is being erased.")
        raise VersionConflict(now.version)
