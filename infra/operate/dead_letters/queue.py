"""A queue of dead letters, walked without losing, keeping or hiding any."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import batched
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from infra.operate.dead_letters.letter import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.operate.target import Target

HIDDEN_SECONDS = 120
"""How long a letter stays hidden from others when nobody lets go of it, as after a kill."""
_MOST_AT_ONCE = 10
_WAIT_SECONDS = 1  # a short poll asks some of SQS's servers only, and may find nothing where there is something
_COUNTS = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
# What SQS says, with or without its namespace, of a receipt whose time has run out.
_RUN_OUT = frozenset({"InvalidParameterValue", "MessageNotInflight", "ReceiptHandleIsInvalid"})


class DeadLetterQueue:
    """The dead letters of turns, or of jobs, of an environment."""

    def __init__(self, target: Target, queue: str | None = None) -> None:
        self._sqs = target.client("sqs")
        self._url = self._sqs.get_queue_url(QueueName=queue or target.names.dead_letter_queue)["QueueUrl"]
        self._held: dict[str, DeadLetter] = {}

    @contextmanager
    def walk(self) -> Iterator[Iterator[DeadLetter]]:
        """Each letter once, hidden from others meanwhile; what was not removed is visible again afterwards.

        While letters of a group are hidden SQS hands out no more of that group: of more than ten of one group some
        may not be seen before those are removed. Notices have a group each.
        """
        try:
            yield self._letters()
        finally:
            self._let_go()

    def remove(self, letter: DeadLetter) -> bool:
        """Delete a letter; False when its time ran out, so that it is visible again or in somebody else's hands."""
        removed = True
        try:
            self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=letter.receipt)
        except ClientError as error:
            if error.response["Error"]["Code"].rpartition(".")[2] not in _RUN_OUT:
                raise
            removed = False
        del self._held[letter.message_id]
        return removed

    def count(self) -> int:
        """About how many letters there are, hidden ones included."""
        attributes = self._sqs.get_queue_attributes(QueueUrl=self._url, AttributeNames=list(_COUNTS))["Attributes"]
        return sum(int(attributes[name]) for name in _COUNTS)

    def _letters(self) -> Iterator[DeadLetter]:
        seen: set[str] = set()
        while fresh := [letter for letter in self._receive() if letter.message_id not in seen]:
            for letter in fresh:
                seen.add(letter.message_id)
                yield letter

    def _receive(self) -> list[DeadLetter]:
        messages: list[dict[str, Any]] = self._sqs.receive_message(
            QueueUrl=self._url,
            MaxNumberOfMessages=_MOST_AT_ONCE,
            VisibilityTimeout=HIDDEN_SECONDS,
            WaitTimeSeconds=_WAIT_SECONDS,
            AttributeNames=["MessageGroupId", "SentTimestamp"],
        ).get("Messages", [])
        letters = [DeadLetter.of(message) for message in messages]
        self._held |= {letter.message_id: letter for letter in letters}
        return letters

    def _let_go(self) -> None:
        """Show again what is still held; a receipt that has run out is among the failed ones, which is no error."""
        for some in batched(self._held.values(), _MOST_AT_ONCE, strict=False):
            entries = [
                {"Id": str(place), "ReceiptHandle": letter.receipt, "VisibilityTimeout": 0}
                for place, letter in enumerate(some)
            ]
            self._sqs.change_message_visibility_batch(QueueUrl=self._url, Entries=entries)
        self._held.clear()
