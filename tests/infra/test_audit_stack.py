"""The audit trail: records are kept apart, nobody but Firehose writes them, and nobody takes them away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.audit_log import AuditLog
from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.secrets import KeyedHasher
from context_memory.ports.telemetry import Access
from infra.components.audit_trail import PATTERN
from infra.environments import DEV
from infra.local.emulator.log_streams import wanted
from infra.names import AUDITED, FUNCTIONS
from tests.infra.templates import ACCOUNT, REGION, listed, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

BUCKET = f"context-memory-dev-audit-{ACCOUNT}-{REGION}"
STREAM = f"arn:aws:firehose:{REGION}:{ACCOUNT}:deliverystream/context-memory-dev-audit"
DELIVERY = f"context-memory-dev-{REGION}-audit-delivery"
SUBSCRIPTION = f"context-memory-dev-{REGION}-audit-subscription"


def bucket_policy(templates: Templates) -> list[dict[str, Any]]:
    (policy,) = templates.resources("AWS::S3::BucketPolicy", "audit").values()
    statements: list[dict[str, Any]] = policy["PolicyDocument"]["Statement"]
    return statements


def test_records_have_a_bucket_and_a_key_of_their_own(dev: Templates) -> None:
    (key_id,) = dev.resources("AWS::KMS::Key", "audit")
    (bucket,) = dev.resources("AWS::S3::Bucket", "audit").values()
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]

    assert bucket["BucketName"] == BUCKET
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert rule["ServerSideEncryptionByDefault"]["KMSMasterKeyID"] == f"<{key_id}>"
    assert dev.resources("AWS::KMS::Key", "audit")[key_id]["EnableKeyRotation"] is True


def test_records_end_when_their_time_is_over_with_all_their_versions(dev: Templates) -> None:
    (bucket,) = dev.resources("AWS::S3::Bucket", "audit").values()
    ending, markers = bucket["LifecycleConfiguration"]["Rules"]

    assert ending["ExpirationInDays"] == DEV.retention.audit == 30
    assert ending["NoncurrentVersionExpiration"] == {"NoncurrentDays": 1}
    assert "Prefix" not in ending
    assert markers["ExpiredObjectDeleteMarker"] is True


def test_where_an_environment_is_durable_nobody_deletes_a_record_and_stacks_leave_them(
    code_folder: Path, dev: Templates
) -> None:
    durable = synthesise(replace(DEV, durable=True), code_folder)
    (refusal,) = [one for one in bucket_policy(durable) if one.get("Sid") == "NobodyDeletesRecords"]

    assert (refusal["Effect"], refusal["Principal"]) == ("Deny", {"AWS": "*"})
    assert set(refusal["Action"]) == {"s3:DeleteObject", "s3:DeleteObjectVersion"}
    assert "Condition" not in refusal
    kept = [one for one in durable.raw("audit").values() if one["Type"] in {"AWS::S3::Bucket", "AWS::KMS::Key"}]
    assert [one["DeletionPolicy"] for one in kept] == ["Retain", "Retain"]
    assert not [one for one in bucket_policy(dev) if one.get("Sid") == "NobodyDeletesRecords"]


def test_where_an_environment_is_durable_nobody_but_firehose_writes_a_record_or_over_one(
    code_folder: Path, dev: Templates
) -> None:
    durable = synthesise(replace(DEV, durable=True), code_folder)
    (refusal,) = [one for one in bucket_policy(durable) if one.get("Sid") == "OnlyFirehoseWritesRecords"]
    (role_id,) = [
        name for name, role in durable.resources("AWS::IAM::Role", "audit").items() if role["RoleName"] == DELIVERY
    ]

    assert (refusal["Effect"], refusal["Principal"]) == ("Deny", {"AWS": "*"})
    assert listed(refusal["Action"]) == ["s3:PutObject"]
    assert refusal["Condition"] == {"ArnNotEquals": {"aws:PrincipalArn": f"<{role_id}>"}}
    (deletion,) = [one for one in bucket_policy(durable) if one.get("Sid") == "NobodyDeletesRecords"]
    assert refusal["Resource"] == deletion["Resource"]
    assert not [one for one in bucket_policy(dev) if one.get("Sid") == "OnlyFirehoseWritesRecords"]


def test_firehose_may_write_below_two_folders_and_read_nothing(dev: Templates) -> None:
    (key_id,) = dev.resources("AWS::KMS::Key", "audit")
    objects = f"arn:aws:s3:::{BUCKET}"
    rights = {
        (action, resource)
        for statement in dev.statements(DELIVERY)
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }
    (bucket_id,) = dev.resources("AWS::S3::Bucket", "audit")

    assert rights == {
        *((action, f"{objects}/{folder}/*") for action in WRITING for folder in ("records", "failed")),
        *((action, f"<{bucket_id}>") for action in FINDING),
        ("kms:GenerateDataKey", f"<{key_id}>"),
        ("kms:Decrypt", f"<{key_id}>"),
    }
    (trust,) = dev.trust(DELIVERY)
    assert trust["Principal"] == {"Service": "firehose.amazonaws.com"}
    assert trust["Condition"] == {"StringEquals": {"aws:SourceAccount": ACCOUNT}}


WRITING = ("s3:PutObject", "s3:AbortMultipartUpload")
FINDING = ("s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads")


def test_log_groups_may_put_records_into_the_one_stream(dev: Templates) -> None:
    (statement,) = dev.statements(SUBSCRIPTION)

    assert listed(statement["Resource"]) == [STREAM]
    assert statement["Action"] == ["firehose:PutRecord", "firehose:PutRecordBatch"]
    (trust,) = dev.trust(SUBSCRIPTION)
    assert trust["Principal"] == {"Service": "logs.amazonaws.com"}
    assert trust["Condition"] == {"ArnLike": {"aws:SourceArn": f"arn:aws:logs:{REGION}:{ACCOUNT}:*"}}


def test_no_function_may_touch_the_trail(dev: Templates) -> None:
    for name, role in dev.named("AWS::IAM::Role", "RoleName").items():
        if name not in {DELIVERY, SUBSCRIPTION}:
            assert "audit" not in json.dumps(role), name


def test_every_audited_function_sends_its_records_there(dev: Templates) -> None:
    filters = dev.resources("AWS::Logs::SubscriptionFilter", "service").values()
    groups = dev.resources("AWS::Logs::LogGroup", "service")
    sending = {groups[one["LogGroupName"].strip("<>")]["LogGroupName"] for one in filters}

    assert sending == {f"/aws/lambda/context-memory-dev-{name}" for name in FUNCTIONS if name in AUDITED}
    for one in filters:
        assert (one["DestinationArn"], one["FilterPattern"]) == (STREAM, "{ $.audit IS TRUE }")
        assert one["RoleArn"] == f"arn:aws:iam::{ACCOUNT}:role/{SUBSCRIPTION}"


def test_the_stream_is_encrypted_gathers_unpacks_and_writes_by_the_hour(dev: Templates) -> None:
    (stream,) = dev.resources("AWS::KinesisFirehose::DeliveryStream").values()
    target = stream["ExtendedS3DestinationConfiguration"]

    assert stream["DeliveryStreamName"] == "context-memory-dev-audit"
    assert stream["DeliveryStreamEncryptionConfigurationInput"]["KeyType"] == "CUSTOMER_MANAGED_CMK"
    assert target["Prefix"].startswith("records/!{timestamp:")
    assert target["ErrorOutputPrefix"].startswith("failed/!{firehose:error-output-type}/")
    assert target["BufferingHints"] == {"IntervalInSeconds": 300, "SizeInMBs": 5}
    assert [one["Type"] for one in target["ProcessingConfiguration"]["Processors"]] == [
        "Decompression",
        "CloudWatchLogProcessing",
        "AppendDelimiterToRecord",
    ]


def test_the_pattern_finds_what_the_functions_write(capsys: pytest.CaptureFixture[str]) -> None:
    audit = AuditLog(hasher=KeyedHasher(lambda: "key"), clock=ManualClock(), telemetry=RecordingTelemetry())
    audit.record(Access(route="r", status=200, request_id="r-1", caller="c", company_id="acme", user=None))
    (record,) = capsys.readouterr().out.splitlines()

    assert wanted(PATTERN, [record]) == [record]


@pytest.mark.parametrize(
    "line",
    ['{"audit": "true"}', '{"audit": 1}', '{"audit": false}', '{"in": {"audit": true}}', '["audit"]', "audit true", ""],
)
def test_the_pattern_finds_nothing_else(line: str) -> None:
    assert wanted(PATTERN, [line]) == []


def test_a_pattern_of_another_kind_finds_nothing_on_the_emulator() -> None:
    assert wanted("audit", ['{"audit": true}']) == []


def test_an_auditor_reads_records_and_nothing_else(dev: Templates) -> None:
    (key_id,) = dev.resources("AWS::KMS::Key", "audit")
    policy = dev.named("AWS::IAM::ManagedPolicy", "ManagedPolicyName")[dev.names.auditor_policy]

    rights = [(one["Action"], one["Resource"], one.get("Condition")) for one in policy["PolicyDocument"]["Statement"]]
    assert rights[0][0] == "s3:ListBucket"
    assert rights[0][2] == {"StringLike": {"s3:prefix": "records/*"}}
    assert rights[1:] == [
        ("s3:GetObject", f"arn:aws:s3:::{BUCKET}/records/*", None),
        ("kms:Decrypt", f"<{key_id}>", {"StringEquals": {"kms:ViaService": f"s3.{REGION}.amazonaws.com"}}),
    ]
