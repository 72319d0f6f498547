"""What lasts: buckets, tables, key and secrets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.company_settings import LONGEST_KEEP_DAYS
from context_memory.domain.kept_turns import AT_MOST
from infra.environments import DEV
from tests.infra.templates import ACCOUNT, REGION, listed, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

PROFILES = f"context-memory-dev-profiles-{ACCOUNT}-{REGION}"
WORK = f"context-memory-dev-work-{ACCOUNT}-{REGION}"


def test_profiles_are_versioned_and_no_lifecycle_rule_touches_them(dev: Templates) -> None:
    bucket = dev.named("AWS::S3::Bucket", "BucketName")[PROFILES]

    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert "LifecycleConfiguration" not in bucket


def test_payloads_and_kept_texts_have_no_versions_and_end_by_themselves_at_last(dev: Templates) -> None:
    bucket = dev.named("AWS::S3::Bucket", "BucketName")[WORK]

    assert "VersioningConfiguration" not in bucket
    rules = bucket["LifecycleConfiguration"]["Rules"]
    ends = {rule["Prefix"]: rule["ExpirationInDays"] for rule in rules if rule["Status"] == "Enabled"}
    assert ends == {"turns/": 60, "kept/": 380}


def test_no_kept_text_ends_by_itself_before_its_company_is_done_with_it(dev: Templates) -> None:
    bucket = dev.named("AWS::S3::Bucket", "BucketName")[WORK]

    ends = {rule["Prefix"]: rule["ExpirationInDays"] for rule in bucket["LifecycleConfiguration"]["Rules"]}
    assert ends["kept/"] > AT_MOST.days > LONGEST_KEEP_DAYS


@pytest.mark.parametrize("name", [PROFILES, WORK])
def test_a_bucket_is_private_encrypted_and_without_acls(dev: Templates, name: str) -> None:
    bucket = dev.named("AWS::S3::Bucket", "BucketName")[name]

    assert bucket["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["BucketKeyEnabled"] is True
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"
    assert bucket["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}


def test_buckets_are_reached_over_tls_only(dev: Templates) -> None:
    buckets = dev.resources("AWS::S3::Bucket")
    policies = {policy["Bucket"].strip("<>"): policy for policy in dev.resources("AWS::S3::BucketPolicy").values()}

    assert set(policies) == set(buckets)
    for policy in policies.values():
        denied = [
            statement
            for statement in policy["PolicyDocument"]["Statement"]
            if statement["Effect"] == "Deny"
            and statement["Principal"] == {"AWS": "*"}
            and statement["Action"] == "s3:*"
            and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        ]
        assert len(denied) == 1
        assert len(listed(denied[0]["Resource"])) == 2


@pytest.mark.parametrize("name", ["context-memory-dev-users", "context-memory-dev-companies"])
def test_a_table_is_on_demand_restorable_encrypted_and_lets_items_expire(dev: Templates, name: str) -> None:
    table = dev.named("AWS::DynamoDB::Table", "TableName")[name]

    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 35}
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert table["SSESpecification"]["SSEType"] == "KMS"


def test_the_key_rotates_and_serves_this_environments_roles_through_storage_alone(dev: Templates) -> None:
    key = dev.data_key[1]

    assert key["EnableKeyRotation"] is True
    administration, use, _ = key["KeyPolicy"]["Statement"]
    assert administration["Principal"] == {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
    assert use["Condition"] == {
        "StringEquals": {
            "kms:CallerAccount": ACCOUNT,
            "kms:ViaService": [f"{service}.{REGION}.amazonaws.com" for service in ("s3", "dynamodb", "secretsmanager")],
        },
        "ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{ACCOUNT}:role/context-memory-dev-{REGION}-*"},
    }


def test_receipts_are_signed_by_a_pair_of_keys_that_only_who_erases_may_use(dev: Templates) -> None:
    (key,) = [one for one in dev.resources("AWS::KMS::Key", "storage").values() if "KeyUsage" in one]
    (alias,) = [one for one in dev.resources("AWS::KMS::Alias").values() if one["AliasName"] == dev.names.receipts_key]

    assert (key["KeySpec"], key["KeyUsage"]) == ("ECC_NIST_P256", "SIGN_VERIFY")
    assert alias["AliasName"] == "alias/context-memory-dev-receipts"
    administration, signing, verifying = key["KeyPolicy"]["Statement"]
    assert administration["Principal"] == {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}
    role = f"arn:aws:iam::{ACCOUNT}:role/context-memory-dev-{REGION}"
    assert (signing["Action"], signing["Condition"]) == (
        "kms:Sign",
        {
            "StringEquals": {"kms:CallerAccount": ACCOUNT},
            "ArnEquals": {"aws:PrincipalArn": [f"{role}-account-function", f"{role}-maintain-function"]},
        },
    )
    assert verifying["Action"] == ["kms:GetPublicKey", "kms:Verify"]
    assert verifying["Condition"] == {"StringEquals": {"kms:CallerAccount": ACCOUNT}}


def test_the_key_of_all_hashes_is_generated_and_nobody_has_seen_it(dev: Templates) -> None:
    secret = dev.named("AWS::SecretsManager::Secret", "Name")["context-memory/dev/hashing"]

    assert secret["GenerateSecretString"]["PasswordLength"] >= 64
    assert "SecretString" not in secret


def test_no_secrets_name_ends_like_the_suffix_that_aws_adds(dev: Templates) -> None:
    for name in dev.named("AWS::SecretsManager::Secret", "Name"):
        assert len(name.rsplit("-", 1)[-1]) != 6


@pytest.mark.parametrize(("durable", "policy"), [(True, "Retain"), (False, "Delete")])
def test_what_lasts_outlives_its_stack_where_the_environment_is_durable(
    code_folder: Path, *, durable: bool, policy: str
) -> None:
    templates = synthesise(replace(DEV, durable=durable), code_folder)

    kinds = {"AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::SecretsManager::Secret"}
    lasting = [one for one in templates.raw("storage").values() if one["Type"] in kinds]
    assert len(lasting) == 8
    assert {one["DeletionPolicy"] for one in lasting} == {policy}
    tables = templates.resources("AWS::DynamoDB::Table").values()
    assert {table["DeletionProtectionEnabled"] for table in tables} == {durable}
