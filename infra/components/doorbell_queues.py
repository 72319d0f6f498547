"""The FIFO queue of doorbells and the one for those that were given up."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy, aws_sqs
from constructs import Construct

from infra.components.statement_names import name_statements


class DoorbellQueues(Construct):
    """One group per user: order within, independence between. Messages hold ids and reasons, never text."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        queue_name: str,
        dead_letter_name: str,
        visibility: Duration,
        retention: Duration,
        max_receive_count: int,
        removal_policy: RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters = aws_sqs.Queue(
            self,
            "DeadLetters",
            queue_name=dead_letter_name,
            fifo=True,
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=retention,
            removal_policy=removal_policy,
        )
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
            visibility_timeout=visibility,
            retention_period=retention,
            # Attempts are counted in the table; this only catches crash loops.
            dead_letter_queue=aws_sqs.DeadLetterQueue(queue=self.dead_letters, max_receive_count=max_receive_count),
            removal_policy=removal_policy,
        )
        for queue in (self.dead_letters, self.doorbells):
            name_statements(queue.node.find_child("Policy"), "PolicyDocument", ["TlsOnly"])
