"""Jobs: looking after stranded turns every ten minutes, redriving dead ones, and what operators ask about a user."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from context_memory.application.answers import inspected_body
from context_memory.bootstrap.maintain import maintain as build
from context_memory.contracts.messages import Inspect, Pseudonym, Redrive, parse_job

if TYPE_CHECKING:
    from typing import Any

    from aws_lambda_powertools.utilities.typing import LambdaContext

_MARGIN_SECONDS = 30
"""Kept back of the function's time, for the user who is being looked after."""

heal, redrive, inspect, tell_pseudonym = build(os.environ)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Do one job and say what was done."""
    job = parse_job(event)
    if isinstance(job, Redrive):
        return asdict(redrive(job.user, job.turn_id))
    if isinstance(job, Inspect):
        return inspected_body(inspect(job.user))
    if isinstance(job, Pseudonym):
        return {"user": tell_pseudonym(job.user)}
    return asdict(heal(context.get_remaining_time_in_millis() / 1000 - _MARGIN_SECONDS))
