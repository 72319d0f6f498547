"""Walks and their reports: items of the company table.

    pk  <company>##job        sk  <id of the walk>                 the walk, and `version`, its lock
                              sk  <id of the walk>#<page>          lines of its report

No user's key holds `##`. A report names users; it goes with its walk after `KEPT`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast
from uuid import NAMESPACE_URL, uuid5

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import moment, read_all, spelled_all, stamp
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.walks import Code, Line, Page, Phase, Walk, WalkKind, WalkStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef

    from context_memory.adapters.dynamodb.attributes import Plain

KEPT = timedelta(days=90)
"""How long a walk and its report stay."""
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
                    TableName=self.table, Item=_item(walk), ConditionExpression="attribute_not_exists(pk)"
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return False
        return True

    def walk(self, company_id: str, job_id: str) -> Walk | None:
        """A walk as it stands; None when the company has none of that id."""
        with told_as_ours(SERVICE), self.own_role():
            found = self.client.get_item(TableName=self.table, Key=_key(company_id, job_id), ConsistentRead=True)
        return _walk(company_id, job_id, read_all(found["Item"])) if "Item" in found else None

    def move(self, before: Walk, after: Walk, page: Page | None = None) -> bool:
        """Replace a walk, and a page of its report, in one transaction; False when somebody has moved it before."""
        as_read = Expression(condition="#version = :version", values={"version": before.version})
        clauses = [self._put(_item(after), as_read.arguments())]
        if page is not None:
            clauses.append(self._put(_page_item(after, page)))
        with told_as_ours(SERVICE), self.own_role():
            try:
                self.client.transact_write_items(TransactItems=clauses, ClientRequestToken=_token(after, page))
            except ClientError as error:
                if not any(reason.get("Code") == _REFUSED for reason in _reasons(error)):
                    raise
                return False
        return True

    def pages(self, company_id: str, job_id: str, *, after: int, limit: int) -> Sequence[Page]:
        """At most `limit` pages with higher numbers than `after`, in their order."""
        # Two numbers side by side: none lies between them.
        span = {":first": _page_key(job_id, after + 1), ":last": f"{job_id}#:"}
        with told_as_ours(SERVICE), self.own_role():
            # A page has at most a hundred short lines: so few of them are one answer.
            found = self.client.query(
                TableName=self.table,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
                ExpressionAttributeValues=spelled_all({":pk": _partition(company_id), **span}),
                ConsistentRead=True,
                Limit=limit,
            )
        return [_page(read_all(item)) for item in found["Items"]]

    def _put(
        self, item: Mapping[str, AttributeValueTypeDef], condition: Mapping[str, Any] = MappingProxyType({})
    ) -> TransactWriteItemTypeDef:
        return cast("TransactWriteItemTypeDef", {"Put": {"TableName": self.table, "Item": item, **condition}})


def _partition(company_id: str) -> str:
    return f"{company_id}##job"


def _page_key(job_id: str, number: int) -> str:
    return f"{job_id}#{number:010d}"


def _key(company_id: str, sort_key: str) -> dict[str, AttributeValueTypeDef]:
    return spelled_all({"pk": _partition(company_id), "sk": sort_key})


def _token(walk: Walk, page: Page | None) -> str:
    """The same for the same step and outcome alone: then a request whose answer was lost is answered again."""
    return str(uuid5(NAMESPACE_URL, repr((walk, page))))


def _reasons(error: ClientError) -> list[dict[str, str]]:
    # botocore adds the modelled members of an error to its response
    return cast("list[dict[str, str]]", cast("Mapping[str, Any]", error.response).get("CancellationReasons", []))


def _item(walk: Walk) -> dict[str, AttributeValueTypeDef]:
    values: dict[str, Plain] = {
        "kind": walk.kind.value,
        "status": walk.status.value,
        "dry_run": walk.dry_run,
        "asked_by": walk.asked_by,
        "asked_at": stamp(walk.asked_at),
        "started_at": stamp(walk.started_at) if walk.started_at else None,
        "parameters": walk.parameters,
        "finished_at": stamp(walk.finished_at) if walk.finished_at else None,
        "phase": walk.phase.value,
        "cursor": walk.cursor,
        "planned": walk.planned,
        "version": walk.version,
        "users": walk.users,
        "failed": walk.failed,
        "counts": dict(walk.counts),
        "code": None,
        "expires_at": _expires_at(walk),
    }
    if walk.code:
        code = walk.code
        values["code"] = {"digest": code.digest, "until": stamp(code.until), "guesses": code.guesses}
    return _key(walk.company_id, walk.job_id) | spelled_all(values)


def _expires_at(walk: Walk) -> int:
    return int((walk.asked_at + KEPT).timestamp())


def _page_item(walk: Walk, page: Page) -> dict[str, AttributeValueTypeDef]:
    lines: list[Plain] = [
        {"user_id": line.user_id, "result": line.result, "details": json.dumps(line.details)} for line in page.lines
    ]
    key = _key(walk.company_id, _page_key(walk.job_id, page.number))
    return key | spelled_all({"number": page.number, "lines": lines, "expires_at": _expires_at(walk)})


def _walk(company_id: str, job_id: str, item: Mapping[str, Any]) -> Walk:
    code = item["code"]
    return Walk(
        company_id=company_id,
        job_id=job_id,
        kind=WalkKind(item["kind"]),
        status=WalkStatus(item["status"]),
        dry_run=item["dry_run"],
        asked_by=item["asked_by"],
        asked_at=moment(item["asked_at"]),
        started_at=moment(item["started_at"]) if item["started_at"] else None,
        parameters=item["parameters"],
        finished_at=moment(item["finished_at"]) if item["finished_at"] else None,
        phase=Phase(item["phase"]),
        cursor=item["cursor"],
        planned=item["planned"],
        version=item["version"],
        users=item["users"],
        failed=item["failed"],
        counts=item["counts"],
        code=Code(digest=code["digest"], until=moment(code["until"]), guesses=code["guesses"]) if code else None,
    )


def _page(item: Mapping[str, Any]) -> Page:
    lines = (
        Line(user_id=one["user_id"], result=one["result"], details=json.loads(one["details"])) for one in item["lines"]
    )
    return Page(number=item["number"], lines=tuple(lines))
