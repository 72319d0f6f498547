"""Jobs about a whole company, as administrators ask for them and are told of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from context_memory.contracts.body import Body
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.errors import InvalidInput
from context_memory.domain.jobs import JOB_ID
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.walks import Line, Page, Walk

MOST_PAGES = 10**9
"""More pages than any report has."""
_JOB_ID = re.compile(JOB_ID)


class JobBody(Body):
    """What is to be done for every user; a dry run only says what would be.

    To unlearn, `unlearn` says what, in a dry run; `job_id` names the dry run that is to be applied.
    """

    job: Literal["erase", "migrate", "condense", "expire", "unlearn", "compact", "summarise"]
    dry_run: bool = False
    unlearn: UnlearnBody | None = None
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = None

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        what, which = self.unlearn is not None, self.job_id is not None
        if self.job != "unlearn" and (what or which):
            raise ValueError("must have unlearn and job_id only to unlearn")
        if self.job == "unlearn" and (what, which) != (self.dry_run, not self.dry_run):
            raise ValueError("must say in a dry run what to unlearn, and name that dry run to apply it")
        return self

    @property
    def kind(self) -> WalkKind:
        """The kind of the walk."""
        return WalkKind(self.job)

    @property
    def said(self) -> str | None:
        """What a dry run of unlearning has to know, as JSON; None where the body says nothing of the kind."""
        return self.unlearn.model_dump_json(by_alias=True, exclude_none=True) if self.unlearn else None


class ConfirmBody(Body):
    """The code with which the job was answered."""

    code: Annotated[str, Field(min_length=1, max_length=40)]


def job_id(segment: str) -> str:
    """A segment of a path that could be a job's id.

    Raises:
        InvalidInput: it could not.
    """
    if _JOB_ID.fullmatch(segment) is None:
        raise InvalidInput("job_id", "must be the id of a job")
    return segment


def asked_document(walk: Walk, code: str | None = None) -> dict[str, Any]:
    """The answer to whoever asked for a job, or confirmed one."""
    told: dict[str, Any] = {"job_id": walk.job_id, "status": walk.status.value}
    if code and walk.code:
        told |= {"code": code, "confirm_before": _time(walk.code.until)}
    return told


def job_document(walk: Walk, pages: Sequence[Page], following: int | None) -> dict[str, Any]:
    """How far a job has come, and some pages of its report; the next ones are asked for after page `following`."""
    return {
        "job_id": walk.job_id,
        "job": walk.kind.value,
        "status": walk.status.value,
        "dry_run": walk.dry_run,
        "asked_by": walk.asked_by,
        "asked_at": _time(walk.asked_at),
        "finished_at": _time(walk.finished_at) if walk.finished_at else None,
        "users": walk.users,
        "done": walk.done,
        "failed": walk.failed,
        "counts": dict(walk.counts),
        "report": [_line(line) for page in pages for line in page.lines],
        "next": None if following is None else str(following),
    }


def _line(line: Line) -> dict[str, Any]:
    return {"user_id": line.user_id, "result": line.result, **line.details}


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
