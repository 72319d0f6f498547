"""Doorbells of `facts.fifo`: somebody should look at the turns of a user whose facts are still to be extracted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory.bootstrap.extract import extract as build
from context_memory.contracts.messages import FactsDoorbellMessage

if TYPE_CHECKING:
    from typing import Any

    from aws_lambda_powertools.utilities.typing import LambdaContext

telemetry = build(os.environ)


def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Have every doorbell come again: nothing is extracted by this release, and nothing may be lost for it."""
    for record in event["Records"]:
        with telemetry.about(FactsDoorbellMessage.parse(record["body"]).user):
            telemetry.count("writeback_total", outcome="waiting")
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in event["Records"]]}
