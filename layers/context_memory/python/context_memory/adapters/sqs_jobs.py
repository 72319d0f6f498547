"""The standard queue of jobs, whose messages hold ids and kinds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.sqs import change_visibility
from context_memory.domain.jobs import job_body

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_sqs import SQSClient

    from context_memory.domain.jobs import Job


class SqsJobs:
    """`JobQueue` over SQS.

    Args:
        client: SQS, with credentials per request.
        queue_url: the queue of jobs.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    def __init__(
        self, *, client: SQSClient, queue_url: str, own_role: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._client = client
        self._queue_url = queue_url
        self._own_role = own_role

    def send(self, job: Job, *, delay_seconds: int = 0) -> None:
        """Ask for work, not to be begun before `delay_seconds` (0 to 900) are over."""
        with told_as_ours("SQS"), self._own_role():
            self._client.send_message(
                QueueUrl=self._queue_url, MessageBody=json.dumps(job_body(job)), DelaySeconds=delay_seconds
            )

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received message again after `seconds` (0 to 43,200); one that is visible already is no error."""
        with told_as_ours("SQS"), self._own_role():
            change_visibility(self._client, self._queue_url, receipt, seconds)
