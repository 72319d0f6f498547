"""Doorbells of `facts.fifo`: somebody should look at the turns of a user whose facts are still to be extracted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory.bootstrap.extract import extract as build
from context_memory.contracts.messages import FactsDoorbellMessage

if TYPE_CHECKING:
    from typing import Any

    from aws_lambda_powertools.utilities.typing import LambdaContext

answer_doorbell = build(os.environ)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer the doorbells of one batch (of one); those that must come again are reported as failed."""
    failed = []
    for record in event["Records"]:
        done = answer_doorbell(
            FactsDoorbellMessage.parse(record["body"]).user,
            receipt=record["receiptHandle"],
            received=int(record["attributes"]["ApproximateReceiveCount"]),
            seconds=context.get_remaining_time_in_millis() / 1000,
        )
        if not done:
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}
