"""What holds data: nothing of it is replaced by an update, deleted by accident, or left without the key."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest
from aws_cdk import App

from infra.environments import DEV, ENVIRONMENTS
from tests.infra.templates import ACCOUNT, REGION, stacks_of, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment
    from tests.infra.templates import Templates

_PARTITIONED = ["pk HASH", "sk RANGE"]
# Whatever CloudFormation could only change by making it anew, as the first deployed version had it. Never edit a
# line here: an update of a deployed environment would lose what the resource holds.
FIRST_DEPLOYED = {
    "DataKey2A0DE9E6": ("AWS::KMS::Key", None),
    "ProfilesBucket469E1538": ("AWS::S3::Bucket", f"context-memory-dev-profiles-{ACCOUNT}-{REGION}"),
    "WorkBucket6D724B36": ("AWS::S3::Bucket", f"context-memory-dev-work-{ACCOUNT}-{REGION}"),
    "UsersTable6D91A5EE": ("AWS::DynamoDB::Table", "context-memory-dev-users", *_PARTITIONED),
    "CompaniesTable3EF86372": ("AWS::DynamoDB::Table", "context-memory-dev-companies", *_PARTITIONED),
    "HashKeyEC50E6F3": ("AWS::SecretsManager::Secret", "context-memory/dev/hashing"),
    "ModelKey797AAF76": ("AWS::SecretsManager::Secret", "context-memory/dev/model-api"),
    "TurnsDeadLettersA84C8518": ("AWS::SQS::Queue", "context-memory-dev-turns-dead.fifo", "fifo"),
    "TurnsDoorbells8688D7CF": ("AWS::SQS::Queue", "context-memory-dev-turns.fifo", "fifo"),
}
STATEFUL = {
    "AWS::DynamoDB::Table",
    "AWS::KMS::Key",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
    "AWS::SecretsManager::Secret",
}
LASTING = ("storage", "queues", "audit")


def fixed(resource: dict[str, Any]) -> tuple[str | None, ...]:
    """What of a resource no update can change."""
    properties = resource.get("Properties", {})
    names = ("BucketName", "TableName", "QueueName", "Name")
    return (
        resource["Type"],
        next((properties[name] for name in names if name in properties), None),
        *(f"{one['AttributeName']} {one['KeyType']}" for one in properties.get("KeySchema", ())),
        *(["fifo"] if properties.get("FifoQueue") else []),
    )


def durable(environment: Environment) -> Environment:
    return replace(environment, durable=True)


@pytest.fixture(scope="module")
def protected(code_folder: Path) -> Templates:
    """The stacks of `dev`, were it durable."""
    return synthesise(durable(DEV), code_folder)


def test_an_update_of_the_first_deployed_version_replaces_nothing_that_holds_data(dev: Templates) -> None:
    now = {name: fixed(one) for concern in LASTING for name, one in dev.raw(concern).items()}

    assert {name: now.get(name) for name in FIRST_DEPLOYED} == FIRST_DEPLOYED


def test_what_holds_data_stays_when_its_stack_or_its_place_in_it_goes(protected: Templates) -> None:
    holding = {
        name: (one.get("DeletionPolicy"), one.get("UpdateReplacePolicy"))
        for concern in protected.by_concern
        if concern != "watch"  # what alarms say is on its way, and kept nowhere
        for name, one in protected.raw(concern).items()
        if one["Type"] in STATEFUL | {"AWS::Logs::LogGroup"}
    }

    assert len(holding) > len(FIRST_DEPLOYED)
    assert set(holding.values()) == {("Retain", "Retain")}


def test_tables_of_a_durable_environment_cannot_be_deleted_and_can_be_restored(protected: Templates) -> None:
    for table in protected.resources("AWS::DynamoDB::Table").values():
        assert table["DeletionProtectionEnabled"] is True
        assert table["PointInTimeRecoverySpecification"] == {
            "PointInTimeRecoveryEnabled": True,
            "RecoveryPeriodInDays": 35,
        }


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_stacks_that_hold_data_are_protected_from_deletion_where_the_environment_is_durable(
    code_folder: Path, name: str
) -> None:
    environment = ENVIRONMENTS[name]
    stacks = stacks_of(App(), environment, code_folder)

    protected = {concern: stack.termination_protection for concern, stack in stacks.items()}
    expected = {*LASTING, "switches"} if environment.durable else set()
    assert {concern for concern, is_protected in protected.items() if is_protected} == expected


def test_nothing_of_a_removable_environment_outlives_it(dev: Templates) -> None:
    for concern in dev.by_concern:
        for one in dev.raw(concern).values():
            assert one.get("DeletionPolicy", "Delete") == "Delete"


def test_every_log_group_ends_its_lines_and_is_encrypted_by_the_key_that_serves_it(dev: Templates) -> None:
    groups = dev.resources("AWS::Logs::LogGroup").values()
    _, key = dev.data_key
    (logs,) = [one for one in key["KeyPolicy"]["Statement"] if one.get("Sid") == "TheEnvironmentsLogGroups"]
    served = logs["Condition"]["ArnLike"]["kms:EncryptionContext:aws:logs:arn"]

    assert len(groups) >= 4
    for group in groups:
        arn = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{group['LogGroupName']}"
        assert group["RetentionInDays"] >= 1
        assert group["KmsKeyId"] == f"{{{{resolve:ssm:{dev.names.data_key_parameter}}}}}"
        assert any(fnmatchcase(arn, pattern) for pattern in served), arn


def test_the_key_serves_log_groups_of_this_environment_alone(dev: Templates) -> None:
    _, key = dev.data_key
    (logs,) = [one for one in key["KeyPolicy"]["Statement"] if one.get("Sid") == "TheEnvironmentsLogGroups"]

    group = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:"
    assert logs["Principal"] == {"Service": f"logs.{REGION}.amazonaws.com"}
    assert logs["Action"] == [
        *("kms:Decrypt", "kms:Encrypt", "kms:ReEncrypt*"),
        *("kms:GenerateDataKey*", "kms:DescribeKey"),
    ]
    assert logs["Condition"] == {
        "ArnLike": {
            "kms:EncryptionContext:aws:logs:arn": [
                f"{group}/aws/lambda/context-memory-dev-*",
                f"{group}/aws/vendedlogs/context-memory-dev-*",
                f"{group}/context-memory/dev/*",
            ]
        }
    }


def test_the_parameter_says_which_key_it_is(dev: Templates) -> None:
    (parameter,) = dev.resources("AWS::SSM::Parameter", "storage").values()
    key, _ = dev.data_key

    assert (parameter["Name"], parameter["Value"]) == (dev.names.data_key_parameter, f"<{key}>")


def test_secrets_and_tables_and_buckets_are_under_the_environments_own_key(dev: Templates) -> None:
    key, _ = dev.data_key
    under = {
        *(one["KmsKeyId"] for one in dev.resources("AWS::SecretsManager::Secret").values()),
        *(one["SSESpecification"]["KMSMasterKeyId"] for one in dev.resources("AWS::DynamoDB::Table").values()),
        *(
            rule["ServerSideEncryptionByDefault"]["KMSMasterKeyID"]
            for one in dev.resources("AWS::S3::Bucket", "storage").values()
            for rule in one["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        ),
    }

    assert under == {f"<{key}>"}


def test_queues_are_encrypted_at_rest(dev: Templates) -> None:
    for queue in dev.resources("AWS::SQS::Queue").values():
        assert queue["SqsManagedSseEnabled"] is True
