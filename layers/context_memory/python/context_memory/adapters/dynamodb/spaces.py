"""`<company>##spaces`, an item for each registered space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.company_items import space_key, space_values, spaces_of, stored_space
from context_memory.adapters.dynamodb.expressions import Expression, replacing
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.errors import VersionConflict
from context_memory.domain.spaces import NOT_REGISTERED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.domain.spaces import SpaceSettings, StoredSpace

_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoSpaces:
    """`Spaces` over the company table, reached with the function's own role.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        own_role: signs with the function's own role (`AwsClients.own_role`).
        now: tells the time; the versions of a space count on from the moment at which it was registered, so that
            none of them comes again when it is removed and registered anew.
    """

    client: DynamoDBClient
    table: str
    own_role: Callable[[], AbstractContextManager[None]]
    now: Callable[[], datetime]

    def space(self, company_id: str, space_id: str) -> StoredSpace | None:
        """What is registered about a space; None when nothing is."""
        with told_as_ours(SERVICE), self.own_role():
            found = self.client.get_item(TableName=self.table, Key=space_key(company_id, space_id), ConsistentRead=True)
        return stored_space(read_all(found["Item"])) if "Item" in found else None

    def spaces(self, company_id: str, *, limit: int, after: str | None = None) -> Sequence[StoredSpace]:
        """At most `limit` registered spaces in the order of their encoded ids, those behind the space `after`."""
        behind: dict[str, Any] = {} if after is None else {"ExclusiveStartKey": space_key(company_id, after)}
        with told_as_ours(SERVICE), self.own_role():
            # Spaces are small: a page holds thousands of them.
            found = self.client.query(
                TableName=self.table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues=spelled_all({":pk": spaces_of(company_id)}),
                ConsistentRead=True,
                Limit=limit,
                **behind,
            )
        return [stored_space(read_all(item)) for item in found["Items"]]

    def register(self, company_id: str, space_id: str, settings: SpaceSettings, *, version: int | None) -> StoredSpace:
        """Write all settings of a space in one conditional write.

        Raises:
            VersionConflict: names the version that counts now.
        """
        first = int(self.now().timestamp() * _MICROSECONDS)
        with told_as_ours(SERVICE), self.own_role():
            try:
                answer = self.client.update_item(
                    TableName=self.table,
                    Key=space_key(company_id, space_id),
                    ReturnValues="ALL_NEW",
                    **replacing(space_values(settings), version=version, first=first).arguments(),
                )
                return stored_space(read_all(answer["Attributes"]))
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
        # The client tries again by itself when an answer is lost: then the one who was faster is this very write.
        found = self.space(company_id, space_id)
        if found and (found.settings, found.version) == (settings, version + 1 if version else first):
            return found
        raise VersionConflict(found.version if found else NOT_REGISTERED)

    def unregister(self, company_id: str, space_id: str, *, version: int | None) -> None:
        """Remove what is registered about a space in one conditional write.

        Raises:
            VersionConflict: names the version that counts now.
        """
        condition = (
            Expression()
            if version is None
            else Expression(condition="#version = :version", values={"version": version})
        )
        with told_as_ours(SERVICE), self.own_role():
            try:
                self.client.delete_item(
                    TableName=self.table, Key=space_key(company_id, space_id), **condition.arguments()
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
            else:
                return
        found = self.space(company_id, space_id)
        if found:
            raise VersionConflict(found.version)
        # It is gone, by this very request whose first answer was lost, or by somebody else's: as was wanted.
