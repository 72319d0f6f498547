"""`operate dead-letters --queue jobs`: jobs that were given up, in an operator's hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.operate.__main__ import main
from tests.support.deployed import eventually

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed
MOST_TRIES = 20


def operate(deployed: Deployed, *arguments: str) -> int:
    folder = str(Path(deployed.local.outputs.log_file).parent)
    return main(["--env", "local", "--outputs", folder, "dead-letters", "--queue", "jobs", *arguments])


def url(deployed: Deployed, queue: str) -> str:
    return deployed.local.emulated.sqs.get_queue_url(QueueName=queue)["QueueUrl"]


def waiting(deployed: Deployed) -> int:
    """Dead jobs that there are."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    dead = url(deployed, deployed.local.emulated.names.dead_jobs_queue)
    found = deployed.local.emulated.sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=names)["Attributes"]  # type: ignore[arg-type] # plain names
    return sum(int(count) for count in found.values())


@pytest.fixture(autouse=True)
def empty(deployed: Deployed) -> None:
    deployed.local.emulated.sqs.purge_queue(QueueUrl=url(deployed, deployed.local.emulated.names.dead_jobs_queue))


def bury(deployed: Deployed, body: object) -> None:
    """As SQS does after the twentieth try."""
    dead = url(deployed, deployed.local.emulated.names.dead_jobs_queue)
    deployed.local.emulated.sqs.send_message(QueueUrl=dead, MessageBody=json.dumps(body))


def test_a_dead_job_is_listed_by_kind_and_user_and_stays(
    deployed: Deployed, capsys: pytest.CaptureFixture[str]
) -> None:
    bury(deployed, {"job": "tidy", "company_id": "acme", "user_id": "lena"})

    assert operate(deployed, "list") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].split()[:5] == ["job", "acme", "lena", "-", "tidy"]
    assert waiting(deployed) == 1


def test_a_redriven_job_is_tried_again_and_comes_back_where_nobody_can_do_it(
    deployed: Deployed, capsys: pytest.CaptureFixture[str]
) -> None:
    bury(deployed, {"job": "tidy", "company_id": "acme", "user_id": "nobody-yet", "of": "a release to come"})

    assert operate(deployed, "redrive", "--user", "nobody-yet") == 0
    assert "job acme nobody-yet -: sent again" in capsys.readouterr().out
    eventually(
        lambda: sum("a job cannot be read" in line for line in deployed.lines_of("maintain")),
        lambda tries: tries >= MOST_TRIES,
    )
    eventually(lambda: waiting(deployed), lambda dead: dead == 1)


def test_what_is_no_job_is_kept_until_somebody_drops_it(deployed: Deployed, capsys: pytest.CaptureFixture[str]) -> None:
    bury(deployed, {"job": "I live in Basel.", "company_id": "acme"})

    assert operate(deployed, "redrive") == 1
    assert "Basel" not in capsys.readouterr().out
    assert operate(deployed, "drop") == 2
    assert waiting(deployed) == 1
    assert operate(deployed, "drop", "--yes") == 0
    assert waiting(deployed) == 0
