"""Deploying again: over the first release, over itself, and after everything that runs was torn down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from infra.local.client import Client
from infra.local.cloudformation import Change
from infra.local.emulated import Emulated
from infra.local.emulator_process import ACCOUNT, REGION, emulator
from infra.local.environment import LocalEnvironment
from infra.local.processes import free_port
from infra.synthesis import HOLD_NOTHING
from tests.support.part_a import USER, deploy_part_a, write_state

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.deployed

SPACE = "support"
STARTED = set(HOLD_NOTHING) - {"page", "lance"}
"""The emulator serves no pages, and this environment keeps no facts in LanceDB: neither has a stack here."""
LASTS = ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::KMS::Key", "AWS::SecretsManager::Secret")


@dataclass(frozen=True)
class Updated:
    """The service of today, deployed over the first release in which a user had a memory and a turn that waits."""

    local: LocalEnvironment
    written: dict[str, Any]
    before: dict[str, str]


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Updated]:
    folder = tmp_path_factory.mktemp("part_a")
    with emulator(port := free_port(), state=folder / "state", log=folder / "part_a.log"):
        emulated = Emulated(f"http://localhost:{port}", ACCOUNT, REGION)
        deploy_part_a(emulated, folder)
        written, before = write_state(emulated), lasting(emulated)
    # On the same port: the addresses of the queues that were kept name it.
    with LocalEnvironment(port=port, state=folder / "state", outputs=folder / "outputs") as local:
        yield Updated(local, written, before)


def lasting(emulated: Emulated) -> dict[str, str]:
    """Physical ids of all that holds data, by logical id."""
    return {
        resource["LogicalResourceId"]: resource["PhysicalResourceId"]
        for concern in ("storage", "queues")
        for resource in emulated.cloudformation.describe_stack_resources(StackName=f"context-memory-local-{concern}")[
            "StackResources"
        ]
        if resource["ResourceType"] in LASTS
    }


def items(local: LocalEnvironment) -> list[dict[str, Any]]:
    """Every item of the user table, in order."""
    client = local.emulated.session.client("dynamodb", endpoint_url=local.outputs.endpoint_url)
    found = client.scan(TableName=local.outputs.user_table, ConsistentRead=True)["Items"]
    client.close()
    return sorted(found, key=lambda item: (str(item["pk"]["S"]), str(item["sk"]["S"])))


def test_what_holds_data_is_the_same_as_before(updated: Updated) -> None:
    after = lasting(updated.local.emulated)

    assert len(updated.before) >= 8
    assert {name: after.get(name) for name in updated.before} == updated.before


def test_what_was_written_before_stands_to_the_letter(updated: Updated) -> None:
    outputs, (profile,) = updated.local.outputs, updated.written["profiles"]
    final = [item for item in updated.written["items"] if item["sk"]["S"].startswith(("REVISION#", "TURN#turn-1"))]
    version = final[0]["version_id"]["S"]
    stored = updated.local.emulated.s3.get_object(Bucket=outputs.profile_bucket, Key=profile["key"], VersionId=version)

    assert stored["Body"].read().decode() == profile["body"]
    assert len(final) == 2
    now = items(updated.local)
    assert [item for item in final if item not in now] == []


def test_a_dead_letter_of_before_is_still_there(updated: Updated) -> None:
    outputs = updated.local.outputs
    told = updated.local.emulated.sqs.get_queue_attributes(
        QueueUrl=outputs.dead_letter_queue_url, AttributeNames=["ApproximateNumberOfMessages"]
    )

    assert told["Attributes"]["ApproximateNumberOfMessages"] == "1"


def test_the_turn_that_waited_becomes_part_of_the_memory_that_was_there(updated: Updated) -> None:
    with Client(updated.local.outputs) as client:
        turn = client.wait(USER, "turn-3", seconds=60)
        loaded = client.load(USER, SPACE)

    assert (turn.status, turn.outcome) == ("done", "updated")
    assert loaded.memory is not None
    assert "- Works as a credit risk analyst." in loaded.memory
    assert "- Lives in Basel." in loaded.memory
    assert (loaded.turn_count, loaded.pending, loaded.failed) == (2, 0, 0)


def test_deploying_the_same_again_changes_nothing(updated: Updated) -> None:
    changes = updated.local.deploy()

    assert {"storage", "queues", "access", "service"} <= set(changes)
    assert set(changes.values()) == {Change.UNCHANGED}, changes


def test_tearing_down_what_runs_and_watches_leaves_the_data_and_deploying_finds_it(updated: Updated) -> None:
    local = updated.local
    with Client(local.outputs) as client:
        client.wait(USER, "turn-3", seconds=60)
        loaded = client.load(USER, SPACE)
    before, kept = items(local), lasting(local.emulated)

    local.destroy(*HOLD_NOTHING)
    assert (items(local), lasting(local.emulated)) == (before, kept)
    changes = local.deploy()

    assert {concern for concern, change in changes.items() if change is Change.CREATED} == STARTED
    assert {change for concern, change in changes.items() if concern not in STARTED} == {Change.UNCHANGED}
    with Client(local.outputs) as client:
        assert client.load(USER, SPACE) == loaded
