"""What lasts: profiles, waiting turns, users' and companies' items, secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_kms, aws_s3, aws_secretsmanager

from infra.components.data_key import DataKey
from infra.components.item_table import ItemTable
from infra.components.private_bucket import PrivateBucket
from infra.components.receipts_key import ReceiptsKey
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

_HASH_KEY_LENGTH = 64
_KEPT_TEXTS_DAYS = 380
"""Longer than any company may keep texts, with what they may wait for a model beyond their end."""


class StorageStack(EnvironmentStack):
    """Two buckets, two tables, their key, the secrets, and the key of receipts."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(
            scope, construct_id, environment=environment, description="profiles, turns, state", lasting=True
        )
        removal_policy = RemovalPolicy.RETAIN if environment.durable else RemovalPolicy.DESTROY
        key = DataKey(self, "DataKey", names=names, removal_policy=removal_policy).key
        ReceiptsKey(self, "ReceiptsKey", names=names, removal_policy=removal_policy)
        # No lifecycle rule touches profiles: S3 counts versions, only the table knows which of them count.
        PrivateBucket(
            self, "Profiles", name=names.profile_bucket, key=key, versioned=True, removal_policy=removal_policy
        )
        # Payloads go when every consumer is final, kept texts with a walk of every day; rules are only the net below.
        PrivateBucket(
            self,
            "Work",
            name=names.work_bucket,
            key=key,
            versioned=False,
            removal_policy=removal_policy,
            lifecycle_rules=[
                aws_s3.LifecycleRule(
                    id="forgotten-payloads",
                    prefix="turns/",
                    expiration=Duration.days(environment.retention.payloads),
                ),
                aws_s3.LifecycleRule(id="forgotten-texts", prefix="kept/", expiration=Duration.days(_KEPT_TEXTS_DAYS)),
            ],
        )
        for construct_id_, table in (("Users", names.user_table), ("Companies", names.company_table)):
            ItemTable(
                self,
                construct_id_,
                name=table,
                key=key,
                deletion_protection=environment.durable,
                removal_policy=removal_policy,
            )
        # By its ARN alone, or the CDK would let everybody in the account use the key through Secrets Manager.
        secrets_key = aws_kms.Key.from_key_arn(self, "SecretsKey", key.key_arn)
        aws_secretsmanager.Secret(
            self,
            "HashKey",
            secret_name=names.hash_secret,
            encryption_key=secrets_key,
            description="Keys all hashes of this environment; never change it, or what was forgotten could come back",
            generate_secret_string=aws_secretsmanager.SecretStringGenerator(
                password_length=_HASH_KEY_LENGTH, exclude_punctuation=True
            ),
            removal_policy=removal_policy,
        )
        aws_secretsmanager.Secret(
            self,
            "ModelKey",
            secret_name=names.model_key_secret,
            encryption_key=secrets_key,
            description="Key of the language model's endpoint; made up at first, put the real one in",
            removal_policy=removal_policy,
        )
        if environment.models.embedding_base_url:
            aws_secretsmanager.Secret(
                self,
                "EmbeddingKey",
                secret_name=names.embedding_key_secret,
                encryption_key=secrets_key,
                description="Key of the embeddings' endpoint; made up at first, put the real one in",
                removal_policy=removal_policy,
            )
