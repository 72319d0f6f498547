"""Walks and pages of their reports as items of the company table.

    pk  <company>##job        sk  <id of the walk>                 the walk, and `version`, its lock
                              sk  <id of the walk>#<page>          lines of its report

No user's key holds `##`. A report names users; it goes with its walk after `KEPT`.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb.attributes import moment, spelled_all, stamp
from context_memory.domain.walks import Code, Line, Page, Phase, Walk, WalkKind, WalkStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from context_memory.adapters.dynamodb.attributes import Plain

KEPT = timedelta(days=90)
"""How long a walk and its report stay."""


def walk_partition(company_id: str) -> str:
    """Partition of a company's walks."""
    return f"{company_id}##job"


def page_key(job_id: str, number: int) -> str:
    """Sort key of a page."""
    return f"{job_id}#{number:010d}"


def walk_key(company_id: str, sort_key: str) -> dict[str, AttributeValueTypeDef]:
    """Key of a walk, or of a page."""
    return spelled_all({"pk": walk_partition(company_id), "sk": sort_key})


def walk_item(walk: Walk) -> dict[str, AttributeValueTypeDef]:
    """The item of a walk."""
    return walk_key(walk.company_id, walk.job_id) | spelled_all(walk_values(walk))


def walk_values(walk: Walk) -> dict[str, Plain]:
    """Its attributes beside the key."""
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
    return values


def _expires_at(walk: Walk) -> int:
    return int((walk.asked_at + KEPT).timestamp())


def page_item(walk: Walk, page: Page) -> dict[str, AttributeValueTypeDef]:
    """The item of a page."""
    lines: list[Plain] = [
        {"user_id": line.user_id, "result": line.result, "details": json.dumps(line.details)} for line in page.lines
    ]
    key = walk_key(walk.company_id, page_key(walk.job_id, page.number))
    return key | spelled_all({"number": page.number, "lines": lines, "expires_at": _expires_at(walk)})


def walk_of(company_id: str, job_id: str, item: Mapping[str, Any]) -> Walk:
    """The walk that an item holds."""
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


def page_of(item: Mapping[str, Any]) -> Page:
    """The page that an item holds."""
    lines = (
        Line(user_id=one["user_id"], result=one["result"], details=json.loads(one["details"])) for one in item["lines"]
    )
    return Page(number=item["number"], lines=tuple(lines))
