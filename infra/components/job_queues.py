"""The standard queue of jobs and the one for those that were given up."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy, aws_sqs
from constructs import Construct

from infra.components.statement_names import name_statements


class JobQueues(Construct):
    """Jobs may come twice and in any order: each is idempotent. Messages hold ids and kinds, never text."""

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
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=retention,
            removal_policy=removal_policy,
        )
        self.jobs = aws_sqs.Queue(
            self,
            "Queue",
            queue_name=queue_name,
            encryption=aws_sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=visibility,
            retention_period=retention,
            # No table counts the tries of a job: the queue does, and the agenda rings again hours later.
            dead_letter_queue=aws_sqs.DeadLetterQueue(queue=self.dead_letters, max_receive_count=max_receive_count),
            removal_policy=removal_policy,
        )
        for queue in (self.dead_letters, self.jobs):
            name_statements(queue.node.find_child("Policy"), "PolicyDocument", ["TlsOnly"])
