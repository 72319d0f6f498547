"""Doorbells and dead letters: two FIFO queues whose messages hold ids and reasons."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from mypy_boto3_sqs import SQSClient

    from context_memory.domain.ids import UserKey
    from context_memory.ports.queues import Doorbell, Life

# What SQS says, with or without its namespace, of a receipt whose time has run out.
_NO_LONGER_IN_FLIGHT = frozenset({"MessageNotInflight", "ReceiptHandleIsInvalid", "InvalidParameterValue"})


class SqsDoorbells:
    """`Doorbells` over SQS; a user is a message group, so that one user's doorbells are answered one at a time.

    Args:
        client: SQS, with credentials per request.
        queue_url: `turns.fifo`.
        dead_letter_queue_url: where turns that were given up are told of; a FIFO queue, too.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    def __init__(
        self,
        *,
        client: SQSClient,
        queue_url: str,
        dead_letter_queue_url: str | None = None,
        own_role: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._client = client
        self._queue_url = queue_url
        self._dead_letter_queue_url = dead_letter_queue_url
        self._own_role = own_role

    def ring(self, doorbell: Doorbell) -> None:
        """Put a doorbell into the user's group; within five minutes the same `ring_id` is one message."""
        body = {"company_id": doorbell.user.company_id, "user_id": doorbell.user.user_id, "kind": doorbell.kind}
        self._send(self._queue_url, doorbell.user.partition, body, f"{doorbell.user.partition}\0{doorbell.ring_id}")

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received doorbell again after `seconds` (0 to 43,200); its group stays blocked until then.

        One whose receipt has run out is visible already, which is no error.
        """
        with told_as_ours("SQS"), self._own_role():
            change_visibility(self._client, self._queue_url, receipt, seconds)

    def report_dead(self, user: UserKey, life: Life, reason: str) -> None:
        """Tell the dead-letter queue of a turn that was given up, once for each of its lives.

        Notices need no order, and while one of a group is looked at the rest of it is hidden: each has its own group.

        Raises:
            ValueError: this function was given no dead-letter queue.
        """
        if self._dead_letter_queue_url is None:
            raise ValueError("Dead turns are reported where a dead-letter queue is configured.")
        body = {"company_id": user.company_id, "user_id": user.user_id, "turn_id": life.turn_id, "reason": reason}
        turn = f"{user.partition}\0{life.turn_id}"
        self._send(self._dead_letter_queue_url, turn, body, f"{turn}\0{life.epoch}\0{life.ring}\0{reason}")

    def _send(self, queue_url: str, group: str, body: Mapping[str, str], once_per: str) -> None:
        """Send to a group; `once_per` names the user, too, so that it is the user's own in any queue."""
        with told_as_ours("SQS"), self._own_role():
            self._client.send_message(
                QueueUrl=queue_url,
                MessageBody=json.dumps(body),
                MessageGroupId=_hex(group),
                MessageDeduplicationId=_hex(once_per),
            )


def change_visibility(client: SQSClient, queue_url: str, receipt: str, seconds: int) -> None:
    """Show a received message again after `seconds`; one whose receipt has run out is visible already."""
    try:
        client.change_message_visibility(QueueUrl=queue_url, ReceiptHandle=receipt, VisibilityTimeout=seconds)
    except ClientError as error:
        if code_of(error).rpartition(".")[2] not in _NO_LONGER_IN_FLIGHT:
            raise


def _hex(text: str) -> str:
    """Ids of groups and duplicates are at most 128 ASCII characters; user and turn ids are not."""
    return hashlib.sha256(text.encode()).hexdigest()
