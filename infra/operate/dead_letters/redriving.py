"""Another life for what a dead letter tells of. A letter goes only after its successor is done."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from infra.operate.dead_letters.letter import Kind
from infra.operate.maintaining import JobFailed, Maintain

if TYPE_CHECKING:
    from infra.operate.dead_letters.letter import DeadLetter
    from infra.operate.target import Target

_WORKED_ON = frozenset({"running", "retrying"})


class Redriven(NamedTuple):
    """What came of it in a few words, whether the letter is of no more use, and whether that is as it should be."""

    outcome: str
    finished: bool
    failed: bool = False


class Redriver:
    """Redrives letters of one queue; to do it again, or at the same time as somebody else, does no harm."""

    def __init__(self, target: Target, queue: str | None = None) -> None:
        """`queue` is where letters came from, by default that of doorbells of turns."""
        self._sqs, self._maintain = target.client("sqs"), Maintain(target)
        self._url = self._sqs.get_queue_url(QueueName=queue or target.names.turns_queue)["QueueUrl"]

    def __call__(self, letter: DeadLetter) -> Redriven:
        """Set the turn waiting again, ring again, or send the job again."""
        if letter.kind is Kind.NOTICE:
            return self._turn(letter)
        if letter.kind is Kind.DOORBELL:
            return self._ring(letter)
        if letter.kind is Kind.JOB:
            return self._send(letter)
        return Redriven("kept: nothing that the service writes", finished=False, failed=True)

    def _turn(self, letter: DeadLetter) -> Redriven:
        ids = {"company_id": letter.company_id, "user_id": letter.user_id, "turn_id": letter.turn_id}
        try:
            done = self._maintain("redrive", **ids)
        except JobFailed as error:
            return Redriven(f"kept: maintain failed ({error})", finished=False, failed=True)
        if done["redriven"]:
            return Redriven("set waiting again", finished=True)
        if done["status"] in _WORKED_ON:
            # Notices are sent before turns are buried: this one may be just about to die.
            return Redriven(f"kept: the turn is {done['status']}", finished=False)
        return Redriven(f"not dead: {done['status'] or 'no longer known'}", finished=True)

    def _send(self, letter: DeadLetter) -> Redriven:
        # Twice is no harm: every job may be done again.
        self._sqs.send_message(QueueUrl=self._url, MessageBody=letter.body)
        return Redriven("sent again", finished=True)

    def _ring(self, letter: DeadLetter) -> Redriven:
        # Named after the dead message: another name than it had, and the same whoever rings for it.
        ring_id = hashlib.sha256(f"redriven\0{letter.message_id}".encode()).hexdigest()
        self._sqs.send_message(
            QueueUrl=self._url,
            MessageBody=letter.body,
            MessageGroupId=letter.group,
            MessageDeduplicationId=ring_id,
        )
        return Redriven("rung again", finished=True)
