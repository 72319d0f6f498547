"""What rings, and what is told: doorbells of turns and of facts, jobs, those that were given up, the bus of news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_events

from infra.components.doorbell_queues import DoorbellQueues
from infra.components.job_queues import JobQueues
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names


class QueuesStack(EnvironmentStack):
    """Two FIFO queues of doorbells and one standard queue of jobs, each with its dead letters; and one bus.

    The bus stands here because this stack lasts: rules by which companies listen go with their bus.
    """

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="queues, news", lasting=True)
        retention = Duration.days(environment.retention.queues)
        removal_policy = RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY
        DoorbellQueues(
            self,
            "Turns",
            queue_name=names.turns_queue,
            dead_letter_name=names.dead_letter_queue,
            visibility=Duration.seconds(environment.visibility_seconds),
            retention=retention,
            max_receive_count=environment.max_receive_count,
            removal_policy=removal_policy,
        )
        DoorbellQueues(
            self,
            "Facts",
            queue_name=names.facts_queue,
            dead_letter_name=names.facts_dead_letter_queue,
            visibility=Duration.seconds(environment.facts_visibility_seconds),
            retention=retention,
            max_receive_count=environment.max_receive_count,
            removal_policy=removal_policy,
        )
        JobQueues(
            self,
            "Jobs",
            queue_name=names.jobs_queue,
            dead_letter_name=names.dead_jobs_queue,
            visibility=Duration.seconds(environment.job_visibility_seconds),
            retention=retention,
            max_receive_count=environment.max_job_receive_count,
            removal_policy=removal_policy,
        )
        bus = aws_events.EventBus(
            self,
            "News",
            event_bus_name=names.event_bus,
            description="Context Memory: what became of users' memories, by ids and counts",
        )
        bus.apply_removal_policy(removal_policy)
