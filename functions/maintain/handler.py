"""Jobs: those of the queue, the rounds of every ten minutes, of every day and week, and what operators ask for."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from context_memory.application.answers import inspected_body
from context_memory.bootstrap.maintain import maintain as build
from context_memory.contracts.messages import (
    Compactions,
    Heal,
    Inspect,
    Pseudonym,
    Redrive,
    ReplayErasure,
    Summaries,
    parse_job,
)

if TYPE_CHECKING:
    from typing import Any

    from aws_lambda_powertools.utilities.typing import LambdaContext

_MARGIN_SECONDS = 30
"""Kept back of the function's time, for the user who is being looked after."""
_AGENDA_SECONDS = 60

maintain = build(os.environ)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer a batch (of one) of the queue, or do the one job of an invocation and say what was done."""
    seconds = context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS
    if "Records" in event:
        return _answered(event["Records"], seconds)
    job = parse_job(event)
    if isinstance(job, Heal):
        agenda = maintain.ring_agenda(_AGENDA_SECONDS)
        return asdict(maintain.heal(seconds - _AGENDA_SECONDS)) | {"jobs_rung": agenda.jobs}
    if isinstance(job, Compactions):
        return {"companies": maintain.start_compactions()}
    if isinstance(job, Summaries):
        return {"companies": maintain.start_summaries()}
    if isinstance(job, Redrive | Inspect | Pseudonym | ReplayErasure):
        return _told(job)
    maintain.do_job(job, seconds)
    return {}


def _told(job: Redrive | Inspect | Pseudonym | ReplayErasure) -> dict[str, Any]:
    """What an operator gets."""
    match job:
        case Redrive():
            return asdict(maintain.redrive(job.user, job.turn_id))
        case Inspect():
            return inspected_body(maintain.inspect(job.user))
        case Pseudonym():
            return {"user": maintain.tell_pseudonym(job.user)}
        case ReplayErasure():
            return asdict(maintain.replay_erasure(job.user))


def _answered(records: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    failed = [
        {"itemIdentifier": record["messageId"]}
        for record in records
        if not maintain.answer_job(
            record["body"],
            receipt=record["receiptHandle"],
            received=int(record["attributes"]["ApproximateReceiveCount"]),
            seconds=seconds,
        )
    ]
    return {"batchItemFailures": failed}
