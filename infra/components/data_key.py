"""The key under which everything that users said or are known for is stored, and all that is logged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnDynamicReference, CfnDynamicReferenceService, RemovalPolicy, aws_iam, aws_kms, aws_ssm
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from infra.names import Names

_STORING_SERVICES = ("s3", "dynamodb", "secretsmanager")


class DataKey(Construct):
    """A rotating key for this environment's roles, which may use it only through the services that store.

    Administrators of the account manage it, and so may, by IAM, let others use it.

    CloudWatch Logs may use it for this environment's log groups alone.
    It does not separate users: the user-data roles do. It takes storage away from whoever copies it.
    """

    def __init__(self, scope: Construct, construct_id: str, *, names: Names, removal_policy: RemovalPolicy) -> None:
        super().__init__(scope, construct_id)
        self.key = aws_kms.Key(
            self,
            "Key",
            alias=names.plain("data"),
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
                        "kms:CallerAccount": names.account,
                        "kms:ViaService": [f"{service}.{names.region}.amazonaws.com" for service in _STORING_SERVICES],
                    },
                    "ArnLike": {"aws:PrincipalArn": names.role_arn(names.role("*"))},
                },
            )
        )
        self.key.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="TheEnvironmentsLogGroups",
                principals=[aws_iam.ServicePrincipal(f"logs.{names.region}.amazonaws.com")],
                actions=["kms:Decrypt", "kms:Encrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
                resources=["*"],
                # CloudWatch Logs names the log group with whatever it lets the key encrypt or decrypt.
                conditions={
                    "ArnLike": {
                        "kms:EncryptionContext:aws:logs:arn": [
                            names.arn("logs", f"log-group:{pattern}") for pattern in names.log_group_patterns
                        ]
                    }
                },
            )
        )
        name_statements(self.key, "KeyPolicy", ["TheAccountsAdministrators"])
        # Others read the key's ARN from here: an export would tie the stacks together, and an alias is no ARN.
        aws_ssm.StringParameter(
            self,
            "Arn",
            parameter_name=names.data_key_parameter,
            string_value=self.key.key_arn,
            description="ARN of the key of everything that is stored and logged",
        )


def data_key(scope: Construct, construct_id: str, *, names: Names) -> aws_kms.IKey:
    """The key for a stack that did not make it; CloudFormation looks its ARN up when it deploys."""
    arn = CfnDynamicReference(CfnDynamicReferenceService.SSM, names.data_key_parameter).to_string()
    return aws_kms.Key.from_key_arn(scope, construct_id, arn)
