"""Requests that AWS decides under another name than they have: batches of SQS, and all that is asked of a log group.

A batch needs the right to do one of it. The ARN of a log group ends in `:*` in the policies that let somebody read it.
"""

from __future__ import annotations

from typing import Any

_BATCH = "Batch"
_LOG_GROUP = ":log-group:"


def install(actions: Any) -> None:
    """Rename them in the module that names action and resource of all requests."""
    stock_action, stock_arn = actions.extract_iam_action, actions.extract_resource_arn

    def action(service: str, *rest: Any) -> str | None:
        named: str | None = stock_action(service, *rest)
        return named.removesuffix(_BATCH) if named and service == "sqs" else named

    def arn(service: str, *rest: Any) -> str:
        named: str = stock_arn(service, *rest)
        return f"{named}:*" if service == "logs" and _LOG_GROUP in named and not named.endswith(":*") else named

    actions.extract_iam_action, actions.extract_resource_arn = action, arn
