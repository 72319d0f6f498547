"""What rings, and what is told: doorbells of turns and of facts, jobs, those that were given up, the bus of news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_events

from infra.components.queue_pair import DoorbellQueues, JobQueues, QueueTerms
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
        removal_policy = RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY

        def terms(visibility_seconds: int, max_receive_count: int) -> QueueTerms:
            return QueueTerms(
                visibility=Duration.seconds(visibility_seconds),
                retention=Duration.days(environment.retention.queues),
                max_receive_count=max_receive_count,
                removal_policy=removal_policy,
            )

        DoorbellQueues(
            self,
            "Turns",
            queue_name=names.turns_queue,
            dead_letter_name=names.dead_letter_queue,
            terms=terms(environment.visibility_seconds, environment.max_receive_count),
        )
        DoorbellQueues(
            self,
            "Facts",
            queue_name=names.facts_queue,
            dead_letter_name=names.facts_dead_letter_queue,
            terms=terms(environment.facts_visibility_seconds, environment.max_receive_count),
        )
        JobQueues(
            self,
            "Jobs",
            queue_name=names.jobs_queue,
            dead_letter_name=names.dead_jobs_queue,
            terms=terms(environment.job_visibility_seconds, environment.max_job_receive_count),
        )
        bus = aws_events.EventBus(
            self,
            "News",
            event_bus_name=names.event_bus,
            description="Context Memory: what became of users' memories, by ids and counts",
        )
        bus.apply_removal_policy(removal_policy)
