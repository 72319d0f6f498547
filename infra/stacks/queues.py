"""What rings: doorbells, and those that were given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy

from infra.components.doorbell_queues import DoorbellQueues
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names


class QueuesStack(EnvironmentStack):
    """One FIFO queue with its dead letters."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="queues", lasting=True)
        DoorbellQueues(
            self,
            "Turns",
            queue_name=names.turns_queue,
            dead_letter_name=names.dead_letter_queue,
            visibility=Duration.seconds(environment.visibility_seconds),
            retention=Duration.days(environment.retention.queues),
            max_receive_count=environment.max_receive_count,
            removal_policy=RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY,
        )
