"""A bucket that nobody reaches without TLS or by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy, aws_kms, aws_s3
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from collections.abc import Sequence


class PrivateBucket(Construct):
    """Encrypted with the environment's key, TLS only, public access blocked, no ACLs."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        key: aws_kms.IKey,
        versioned: bool,
        removal_policy: RemovalPolicy,
        lifecycle_rules: Sequence[aws_s3.LifecycleRule] = (),
    ) -> None:
        super().__init__(scope, construct_id)
        self.bucket = aws_s3.Bucket(
            self,
            "Bucket",
            bucket_name=name,
            versioned=versioned,
            encryption=aws_s3.BucketEncryption.KMS,
            encryption_key=key,
            bucket_key_enabled=True,
            block_public_access=aws_s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=aws_s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            lifecycle_rules=list(lifecycle_rules),
            removal_policy=removal_policy,
        )
        if self.bucket.policy is not None:  # which TLS needs
            name_statements(self.bucket.policy, "PolicyDocument", ["TlsOnly", "NoOldTls"])
