"""The key under which everything that users said or are known for is stored."""

from __future__ import annotations

from aws_cdk import RemovalPolicy, aws_iam, aws_kms
from constructs import Construct


class DataKey(Construct):
    """A rotating key that only this environment's roles may use, and only through S3 and DynamoDB.

    It does not separate users: the user-data roles do. It takes storage away from whoever copies it.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        alias: str,
        account: str,
        region: str,
        role_pattern: str,
        removal_policy: RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        self.key = aws_kms.Key(
            self,
            "Key",
            alias=alias,
            enable_key_rotation=True,
            removal_policy=removal_policy,
        )
        self.key.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="TheEnvironmentsRolesThroughStorage",
                principals=[aws_iam.AnyPrincipal()],
                actions=["kms:Decrypt", "kms:Encrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
                resources=["*"],
                conditions={
                    "StringEquals": {
                        "kms:CallerAccount": account,
                        "kms:ViaService": [f"s3.{region}.amazonaws.com", f"dynamodb.{region}.amazonaws.com"],
                    },
                    "ArnLike": {"aws:PrincipalArn": role_pattern},
                },
            )
        )
