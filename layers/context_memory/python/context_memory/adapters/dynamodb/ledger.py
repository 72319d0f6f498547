"""`<company>##erasures`: who was erased, by keyed hashes, for when a user table was set back. No user's key holds `##`.

pk  <company>##erasures      sk  <hash of the user>#<epoch>      erased_at, context_memory
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import moment, read_all, spelled_all, stamp
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.erasing import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import Hasher

PURPOSE = "erasures"


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoLedger:
    """`Ledger` over the company table, reached with the function's own role.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        hasher: makes the keyed hashes.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    client: DynamoDBClient
    table: str
    hasher: Hasher
    own_role: Callable[[], AbstractContextManager[None]]

    def note(self, user: UserKey, entry: LedgerEntry) -> None:
        """Keep an entry; that memory is off is never taken back."""
        item: dict[str, Plain] = {
            "pk": _partition(user),
            "sk": f"{self._hash(user)}#{entry.epoch:010d}",
            "epoch": entry.epoch,
            "erased_at": stamp(entry.erased_at),
            "context_memory": entry.context_memory,
        }
        with told_as_ours(SERVICE), self.own_role():
            try:
                self.client.put_item(
                    TableName=self.table,
                    Item=spelled_all(item),
                    ConditionExpression="attribute_not_exists(pk) OR context_memory = :on",
                    ExpressionAttributeValues=spelled_all({":on": True}),
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise

    def newest(self, user: UserKey) -> LedgerEntry | None:
        """The entry of the highest epoch."""
        with told_as_ours(SERVICE):
            beginning = f"{self._hash(user)}#"
            with self.own_role():
                found = self.client.query(
                    TableName=self.table,
                    KeyConditionExpression="pk = :pk AND begins_with(sk, :hash)",
                    ExpressionAttributeValues=spelled_all({":pk": _partition(user), ":hash": beginning}),
                    ConsistentRead=True,
                    ScanIndexForward=False,
                    Limit=1,
                )
        for item in map(read_all, found["Items"]):
            return LedgerEntry(
                epoch=item["epoch"], erased_at=moment(item["erased_at"]), context_memory=item["context_memory"]
            )
        return None

    def _hash(self, user: UserKey) -> str:
        return self.hasher.digest(PURPOSE, user.partition)


def _partition(user: UserKey) -> str:
    return f"{user.company_id}##erasures"
