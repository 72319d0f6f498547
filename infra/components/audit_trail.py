"""Audit records, taken out of the functions' log groups and kept apart: a bucket of their own under a key of its own.

CloudWatch Logs picks the records out of all other lines, Firehose gathers them for some minutes and writes them down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy, aws_iam, aws_kinesisfirehose, aws_kms, aws_logs, aws_s3
from constructs import Construct

from infra.components.private_bucket import PrivateBucket
from infra.components.statement_names import name_statements
from infra.names import AUDIT_FAILED, AUDIT_RECORDS

if TYPE_CHECKING:
    from infra.names import Names

PATTERN = "{ $.audit IS TRUE }"
"""What tells a record from every other line: a JSON object whose member `audit` is true."""
_BUFFER_SECONDS, _BUFFER_MEBIBYTES = 300, 5
_SUBSCRIPTION = "audit-subscription"
# CloudWatch Logs sends many lines packed together: unpacked, they are one JSON object a line.
_PROCESSORS = [
    {"type": "Decompression", "parameters": [{"parameterName": "CompressionFormat", "parameterValue": "GZIP"}]},
    {
        "type": "CloudWatchLogProcessing",
        "parameters": [{"parameterName": "DataMessageExtraction", "parameterValue": "true"}],
    },
    {"type": "AppendDelimiterToRecord"},
]


class AuditTrail(Construct):
    """The bucket, its key, and the stream that fills it.

    Args:
        retention_days: how long a record is kept; nobody deletes or overwrites it before where `protected`.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        retention_days: int,
        protected: bool,
    ) -> None:
        super().__init__(scope, construct_id)
        removal_policy = RemovalPolicy.RETAIN if protected else RemovalPolicy.DESTROY
        key = aws_kms.Key(
            self, "Key", alias=names.plain("audit"), enable_key_rotation=True, removal_policy=removal_policy
        )
        name_statements(key, "KeyPolicy", ["TheAccountsAdministrators"])
        bucket = PrivateBucket(
            self,
            "Records",
            name=names.audit_bucket,
            key=key,
            versioned=True,
            removal_policy=removal_policy,
            lifecycle_rules=_lifecycle(retention_days),
        ).bucket
        delivery = self._delivery_role(names, bucket, key)
        if protected:
            for statement in _nobody_meddles(bucket, delivery):
                bucket.add_to_resource_policy(statement)
        stream = aws_kinesisfirehose.CfnDeliveryStream(
            self,
            "Stream",
            delivery_stream_name=names.audit_stream,
            delivery_stream_type="DirectPut",
            delivery_stream_encryption_configuration_input={
                "keyType": "CUSTOMER_MANAGED_CMK",
                "keyArn": key.key_arn,
            },
            extended_s3_destination_configuration={
                "bucketArn": bucket.bucket_arn,
                "roleArn": delivery.role_arn,
                "bufferingHints": {"intervalInSeconds": _BUFFER_SECONDS, "sizeInMBs": _BUFFER_MEBIBYTES},
                "compressionFormat": "GZIP",
                "prefix": AUDIT_RECORDS + "!{timestamp:yyyy/MM/dd/HH}/",
                "errorOutputPrefix": AUDIT_FAILED + "!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd/HH}/",
                "processingConfiguration": {"enabled": True, "processors": _PROCESSORS},
            },
        )
        stream.node.add_dependency(bucket)  # with its policy
        self._subscription_role(names)
        self._auditor_policy(names, bucket, key)

    def _delivery_role(self, names: Names, bucket: aws_s3.IBucket, key: aws_kms.IKey) -> aws_iam.Role:
        objects = names.bucket_arn(names.audit_bucket)
        statements = [
            aws_iam.PolicyStatement(
                sid="WriteRecords",
                actions=["s3:PutObject", "s3:AbortMultipartUpload"],
                resources=[f"{objects}/{folder}*" for folder in (AUDIT_RECORDS, AUDIT_FAILED)],
            ),
            aws_iam.PolicyStatement(
                sid="FindTheBucket",
                actions=["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"],
                resources=[bucket.bucket_arn],
            ),
            aws_iam.PolicyStatement(
                sid="EncryptRecords", actions=["kms:GenerateDataKey", "kms:Decrypt"], resources=[key.key_arn]
            ),
        ]
        role = aws_iam.Role(
            self,
            "Delivery",
            role_name=names.role("audit-delivery"),
            assumed_by=aws_iam.ServicePrincipal(
                "firehose.amazonaws.com", conditions={"StringEquals": {"aws:SourceAccount": names.account}}
            ),
            inline_policies={"audit": aws_iam.PolicyDocument(statements=statements)},
        )
        name_statements(role, "AssumeRolePolicyDocument", ["FirehoseDelivers"])
        return role

    def _subscription_role(self, names: Names) -> None:
        put = aws_iam.PolicyStatement(
            sid="PassRecordsOn",
            actions=["firehose:PutRecord", "firehose:PutRecordBatch"],
            resources=[names.arn("firehose", f"deliverystream/{names.audit_stream}")],
        )
        role = aws_iam.Role(
            self,
            "Subscription",
            role_name=names.role(_SUBSCRIPTION),
            assumed_by=aws_iam.ServicePrincipal(
                "logs.amazonaws.com", conditions={"ArnLike": {"aws:SourceArn": names.arn("logs", "*")}}
            ),
            inline_policies={"audit": aws_iam.PolicyDocument(statements=[put])},
        )
        name_statements(role, "AssumeRolePolicyDocument", ["LogGroupsPassOn"])

    def _auditor_policy(self, names: Names, bucket: aws_s3.IBucket, key: aws_kms.IKey) -> None:
        through_s3 = {"StringEquals": {"kms:ViaService": f"s3.{names.region}.amazonaws.com"}}
        aws_iam.ManagedPolicy(
            self,
            "Auditor",
            managed_policy_name=names.auditor_policy,
            description="Context Memory: read who reached for whose memory",
            statements=[
                aws_iam.PolicyStatement(
                    sid="FindRecords",
                    actions=["s3:ListBucket"],
                    resources=[bucket.bucket_arn],
                    conditions={"StringLike": {"s3:prefix": f"{AUDIT_RECORDS}*"}},
                ),
                aws_iam.PolicyStatement(
                    sid="ReadRecords",
                    actions=["s3:GetObject"],
                    resources=[f"{names.bucket_arn(names.audit_bucket)}/{AUDIT_RECORDS}*"],
                ),
                aws_iam.PolicyStatement(
                    sid="DecryptRecords", actions=["kms:Decrypt"], resources=[key.key_arn], conditions=through_s3
                ),
            ],
        )


class AuditSubscription(Construct):
    """Takes a function's audit records out of its log group and into the trail, which must be there before."""

    def __init__(
        self, scope: Construct, construct_id: str, *, names: Names, function: str, log_group: aws_logs.ILogGroup
    ) -> None:
        super().__init__(scope, construct_id)
        aws_logs.CfnSubscriptionFilter(
            self,
            "Filter",
            filter_name=names.audit_filter(function),
            log_group_name=log_group.log_group_name,
            filter_pattern=PATTERN,
            destination_arn=names.arn("firehose", f"deliverystream/{names.audit_stream}"),
            role_arn=names.role_arn(names.role(_SUBSCRIPTION)),
        )


def _nobody_meddles(bucket: aws_s3.IBucket, delivery: aws_iam.IRole) -> list[aws_iam.PolicyStatement]:
    """Refuse to delete records, and to write them but by Firehose: a forged one, or one on top of a true one.

    Lifecycle rules are no requests, so that records still end when their time is over.
    """
    records = bucket.arn_for_objects("*")
    return [
        aws_iam.PolicyStatement(
            sid="NobodyDeletesRecords",
            effect=aws_iam.Effect.DENY,
            principals=[aws_iam.AnyPrincipal()],
            actions=["s3:DeleteObject", "s3:DeleteObjectVersion"],
            resources=[records],
        ),
        aws_iam.PolicyStatement(
            sid="OnlyFirehoseWritesRecords",
            effect=aws_iam.Effect.DENY,
            principals=[aws_iam.AnyPrincipal()],
            actions=["s3:PutObject"],
            resources=[records],
            conditions={"ArnNotEquals": {"aws:PrincipalArn": delivery.role_arn}},
        ),
    ]


def _lifecycle(days: int) -> list[aws_s3.LifecycleRule]:
    return [
        aws_s3.LifecycleRule(
            id="records-whose-time-is-over",
            expiration=Duration.days(days),
            noncurrent_version_expiration=Duration.days(1),
            abort_incomplete_multipart_upload_after=Duration.days(1),
        ),
        # What expires leaves a marker that nothing stands behind.
        aws_s3.LifecycleRule(id="markers-of-ended-records", expired_object_delete_marker=True),
    ]
