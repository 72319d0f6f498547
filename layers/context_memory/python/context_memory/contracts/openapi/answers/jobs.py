"""Answers to administrators about jobs that concern every user of their company."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told

Status = Literal["awaiting_confirmation", "running", "done", "failed"]


class AskedJob(Told):
    """A job that was asked for; `code` is told once, of one that must be confirmed with it before `confirm_before`."""

    job_id: str
    status: Status
    code: str | None = None
    confirm_before: Moment | None = None


class ReportLine(Told):
    """What became of one user, with more to say for some results."""

    model_config = ConfigDict(extra="allow")

    user_id: str
    result: str


class JobReport(Told):
    """How far a job has come; `counts` has users by result, `next` asks for the lines behind these."""

    job_id: str
    job: Literal["erase", "migrate", "unlearn", "condense", "expire", "compact", "summarise"]
    status: Status
    dry_run: bool
    asked_by: str
    asked_at: Moment
    finished_at: Moment | None
    users: Count
    done: Count
    failed: Count
    counts: dict[str, int]
    report: list[ReportLine]
    next: str | None
