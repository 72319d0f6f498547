"""A queue and the one for what was given up. Messages hold ids, kinds and reasons, never text."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import Duration, RemovalPolicy, aws_sqs
from constructs import Construct

from infra.components.statement_names import name_statements


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueTerms:
    """How a pair of queues treats its messages.

    Attributes:
        visibility: how long a message is out of sight that somebody works on.
        retention: how long either queue keeps one.
        max_receive_count: how often one is handed out before it is given up.
        removal_policy: what becomes of the queues when their stack goes.
    """

    visibility: Duration
    retention: Duration
    max_receive_count: int
    removal_policy: RemovalPolicy


class DoorbellQueues(Construct):
    """FIFO, one group per user: order within, independence between.

    Attempts are counted in the table; the receive count only catches crash loops.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, queue_name: str, dead_letter_name: str, terms: QueueTerms
    ) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters = _dead_letters(self, dead_letter_name, terms, fifo=True)
        self.doorbells = aws_sqs.Queue(
            self,
            "Doorbells",
            queue_name=queue_name,
            fifo=True,
            # Per group, or one user's ring could swallow another's, and all users would share 300 messages a second.
            deduplication_scope=aws_sqs.DeduplicationScope.MESSAGE_GROUP,
            fifo_throughput_limit=aws_sqs.FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=terms.visibility,
            retention_period=terms.retention,
            dead_letter_queue=_given_up_to(self.dead_letters, terms),
            removal_policy=terms.removal_policy,
        )
        _name_policies(self.dead_letters, self.doorbells)


class JobQueues(Construct):
    """Standard: jobs may come twice and in any order, for each is idempotent.

    No table counts the tries of a job: the queue does, and the agenda rings again hours later.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, queue_name: str, dead_letter_name: str, terms: QueueTerms
    ) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters = _dead_letters(self, dead_letter_name, terms, fifo=None)
        self.jobs = aws_sqs.Queue(
            self,
            "Queue",
            queue_name=queue_name,
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=terms.visibility,
            retention_period=terms.retention,
            dead_letter_queue=_given_up_to(self.dead_letters, terms),
            removal_policy=terms.removal_policy,
        )
        _name_policies(self.dead_letters, self.jobs)


def _dead_letters(scope: Construct, name: str, terms: QueueTerms, *, fifo: bool | None) -> aws_sqs.Queue:
    return aws_sqs.Queue(
        scope,
        "DeadLetters",
        queue_name=name,
        fifo=fifo,
        encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=terms.retention,
        removal_policy=terms.removal_policy,
    )


def _given_up_to(queue: aws_sqs.Queue, terms: QueueTerms) -> aws_sqs.DeadLetterQueue:
    return aws_sqs.DeadLetterQueue(queue=queue, max_receive_count=terms.max_receive_count)


def _name_policies(*queues: aws_sqs.Queue) -> None:
    for queue in queues:
        name_statements(queue.node.find_child("Policy"), "PolicyDocument", ["TlsOnly"])
