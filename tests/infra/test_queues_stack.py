"""What rings, and what is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from infra.environments import ENVIRONMENTS

if TYPE_CHECKING:
    from tests.infra.templates import Templates

FACTS, DEAD_FACTS = "context-memory-dev-facts.fifo", "context-memory-dev-facts-dead.fifo"
TURNS, DEAD = "context-memory-dev-turns.fifo", "context-memory-dev-turns-dead.fifo"
JOBS, DEAD_JOBS = "context-memory-dev-jobs", "context-memory-dev-jobs-dead"
FOURTEEN_DAYS = 14 * 24 * 3600


@pytest.mark.parametrize("name", [TURNS, FACTS])
def test_doorbells_are_ordered_per_user_and_one_user_never_slows_another(dev: Templates, name: str) -> None:
    queue = dev.named("AWS::SQS::Queue", "QueueName")[name]

    assert queue["FifoQueue"] is True
    assert queue["DeduplicationScope"] == "messageGroup"
    assert queue["FifoThroughputLimit"] == "perMessageGroupId"
    assert "ContentBasedDeduplication" not in queue


@pytest.mark.parametrize(("name", "dead"), [(TURNS, DEAD), (FACTS, DEAD_FACTS)])
def test_only_a_crash_loop_sends_a_doorbell_to_the_dead_letters(dev: Templates, name: str, dead: str) -> None:
    queues = dev.resources("AWS::SQS::Queue")
    (dead_letters,) = [logical_id for logical_id, queue in queues.items() if queue["QueueName"] == dead]
    (doorbells,) = [queue for queue in queues.values() if queue["QueueName"] == name]

    assert doorbells["RedrivePolicy"] == {"deadLetterTargetArn": f"<{dead_letters}>", "maxReceiveCount": 1000}
    assert queues[dead_letters]["FifoQueue"] is True


def test_jobs_come_in_any_order_and_those_that_nobody_can_do_go_to_dead_letters_of_their_own(dev: Templates) -> None:
    queues = dev.resources("AWS::SQS::Queue")
    (dead_letters,) = [logical_id for logical_id, queue in queues.items() if queue["QueueName"] == DEAD_JOBS]
    (jobs,) = [queue for queue in queues.values() if queue["QueueName"] == JOBS]

    assert jobs["RedrivePolicy"] == {"deadLetterTargetArn": f"<{dead_letters}>", "maxReceiveCount": 20}
    assert "FifoQueue" not in jobs
    assert "FifoQueue" not in queues[dead_letters]


def test_a_job_stays_hidden_for_six_time_outs_of_maintain(dev: Templates) -> None:
    queue = dev.named("AWS::SQS::Queue", "QueueName")[JOBS]
    function = dev.named("AWS::Lambda::Function", "FunctionName")["context-memory-dev-maintain"]

    assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]


def test_news_are_told_on_a_bus_of_the_environments_own_which_lasts(dev: Templates) -> None:
    (bus,) = dev.resources("AWS::Events::EventBus", "queues").values()

    assert bus["Name"] == "context-memory-dev"


def test_queues_keep_fourteen_days_and_are_encrypted(dev: Templates) -> None:
    for queue in dev.resources("AWS::SQS::Queue").values():
        assert queue["MessageRetentionPeriod"] == FOURTEEN_DAYS
        assert queue["SqsManagedSseEnabled"] is True


@pytest.mark.parametrize(("name", "answers"), [(TURNS, "consolidate"), (FACTS, "extract")])
def test_a_doorbell_stays_hidden_for_six_time_outs_of_who_answers_it(dev: Templates, name: str, answers: str) -> None:
    queue = dev.named("AWS::SQS::Queue", "QueueName")[name]
    function = dev.named("AWS::Lambda::Function", "FunctionName")[f"context-memory-dev-{answers}"]

    assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]


def test_the_same_holds_in_every_environment() -> None:
    for environment in ENVIRONMENTS.values():
        assert environment.visibility_seconds >= 6 * environment.consolidate.timeout_seconds
        assert environment.facts_visibility_seconds >= 6 * environment.extract.timeout_seconds
        assert environment.job_visibility_seconds >= 6 * environment.maintain.timeout_seconds


def test_queues_are_reached_over_tls_only(dev: Templates) -> None:
    policies = dev.resources("AWS::SQS::QueuePolicy").values()

    guarded = {
        queue.strip("<>")
        for policy in policies
        for queue in policy["Queues"]
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny" and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    }
    assert guarded == set(dev.resources("AWS::SQS::Queue"))
