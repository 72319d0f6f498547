"""What must be looked at one day: items of the company table.

    pk  ##agenda                 sk  <company>: there is, or was, an agenda of that company
    pk  <company>##agenda        sk  <date>#<kind>#<encoded user or space, id of a walk, or nothing>      mark, rung_at

No user's key holds `##`. The sort keys order entries by their day, so that one query finds what is due.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import batched, product
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import moment, read_all, spelled_all, stamp
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.ids import UserKey, decode, encode
from context_memory.domain.jobs import WITH_ID, AgendaEntry, JobKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef

_INDEX = "##agenda"
"""Partition that names the companies: it belongs to none, and the same rights reach it."""
_AT_ONCE = 100
"""Entries that one transaction removes; DynamoDB takes no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamoAgenda:
    """`Agenda` over the company table.

    Args:
        client: DynamoDB, with credentials per request.
        table: name of the company table.
        own_role: signs with the function's own role, which may touch these items of the table and no others.
    """

    client: DynamoDBClient
    table: str
    own_role: Callable[[], AbstractContextManager[None]]
    known: set[str] = field(default_factory=set, init=False, repr=False, compare=False)
    """Companies that this process has entered, so that it does so once."""

    def note(self, entry: AgendaEntry) -> None:
        """Keep an entry until it is struck."""
        with told_as_ours(SERVICE), self.own_role():
            if entry.company_id not in self.known:  # before the entry: else a round might never come to look at it
                index = spelled_all({"pk": _INDEX, "sk": entry.company_id})
                self.client.put_item(TableName=self.table, Item=index)
                self.known.add(entry.company_id)
            self.client.put_item(TableName=self.table, Item=_item(replace(entry, mark=uuid4().hex)))

    def companies(self) -> Sequence[str]:
        """Companies about which anything was ever noted, sorted."""
        with told_as_ours(SERVICE), self.own_role():
            pages = self.client.get_paginator("query").paginate(
                TableName=self.table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues=spelled_all({":pk": _INDEX}),
                ConsistentRead=True,
            )
            return [read_all(item)["sk"] for page in pages for item in page["Items"]]

    def due(self, company_id: str, today: date) -> Sequence[AgendaEntry]:
        """Entries of `today` and of days before, oldest first."""
        tomorrow = (today + timedelta(days=1)).isoformat()
        with told_as_ours(SERVICE), self.own_role():
            pages = self.client.get_paginator("query").paginate(
                TableName=self.table,
                KeyConditionExpression="pk = :pk AND sk < :tomorrow",
                ExpressionAttributeValues=spelled_all({":pk": _partition(company_id), ":tomorrow": tomorrow}),
                ConsistentRead=True,
            )
            return [_entry(company_id, read_all(item)) for page in pages for item in page["Items"]]

    def rung(self, entry: AgendaEntry, at: datetime) -> None:
        """Keep that the queue was told of an entry; one that was struck or noted anew meanwhile stays as it is."""
        item = _item(replace(entry, rung_at=at))
        with told_as_ours(SERVICE), self.own_role(), _unless_it_changed():
            self.client.put_item(TableName=self.table, Item=item, **_as_read(entry))

    def strike(self, entry: AgendaEntry) -> None:
        """Remove an entry whose work is done; one that is absent, or has another mark by now, is no error."""
        with told_as_ours(SERVICE), self.own_role(), _unless_it_changed():
            self.client.delete_item(TableName=self.table, Key=_key(entry), **_as_read(entry))

    def strike_all(self, user: UserKey, kinds: Iterable[JobKind], days: Iterable[date]) -> None:
        """Remove the user's entries of these kinds on these days."""
        entries = (
            AgendaEntry(company_id=user.company_id, kind=kind, due=day, user=user)
            for kind, day in product(frozenset(kinds), frozenset(days))
        )
        for few in batched(entries, _AT_ONCE, strict=False):
            # Transactions rather than plain batches: they need no other right, and leave nothing behind.
            gone: list[TransactWriteItemTypeDef] = [
                {"Delete": {"TableName": self.table, "Key": _key(entry)}} for entry in few
            ]
            with told_as_ours(SERVICE), self.own_role():
                self.client.transact_write_items(TransactItems=gone)


@contextmanager
def _unless_it_changed() -> Iterator[None]:
    """Let be what is no longer as it was read."""
    try:
        yield
    except ClientError as error:
        if code_of(error) != "ConditionalCheckFailedException":
            raise


def _as_read(entry: AgendaEntry) -> dict[str, Any]:
    """Arguments of a request that holds for an entry that is there, under its mark where it names one."""
    if entry.mark is None:
        return Expression(condition="attribute_exists(#pk)").arguments()
    return Expression(condition="#mark = :mark", values={"mark": entry.mark}).arguments()


def _partition(company_id: str) -> str:
    return f"{company_id}##agenda"


def _key(entry: AgendaEntry) -> dict[str, AttributeValueTypeDef]:
    sort_key = f"{entry.due.isoformat()}#{entry.kind.value}#{_about(entry)}"
    return spelled_all({"pk": _partition(entry.company_id), "sk": sort_key})


def _about(entry: AgendaEntry) -> str:
    if entry.space_id is not None:
        return encode(entry.space_id, "space_id")
    return entry.user.encoded if entry.user else entry.job_id or ""


def _item(entry: AgendaEntry) -> dict[str, AttributeValueTypeDef]:
    values = {"mark": entry.mark, "rung_at": stamp(entry.rung_at) if entry.rung_at else None}
    return _key(entry) | spelled_all({name: value for name, value in values.items() if value is not None})


def _entry(company_id: str, item: Mapping[str, Any]) -> AgendaEntry:
    day, kind, about = item["sk"].split("#")
    with_id, of_scope = JobKind(kind) in WITH_ID, JobKind(kind) is JobKind.PUBLISH
    return AgendaEntry(
        company_id=company_id,
        kind=JobKind(kind),
        due=date.fromisoformat(day),
        user=UserKey.from_path(company_id, about) if about and not with_id and not of_scope else None,
        job_id=about if with_id else None,
        space_id=decode(about, "space_id") if about and of_scope else None,
        rung_at=moment(item["rung_at"]) if "rung_at" in item else None,
        mark=item.get("mark"),
    )
