"""The key that signs receipts of erasures, so that nobody can write one afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy, aws_iam, aws_kms
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from infra.names import Names

SIGNERS = ("account", "maintain")
"""Functions that erase, and so write receipts."""


class ReceiptsKey(Construct):
    """A pair of keys whose private half never leaves KMS: `account` and `maintain` sign, the whole account verifies.

    Its own policy says who may. The roles are named by a condition, for they are made after the key.
    """

    def __init__(self, scope: Construct, construct_id: str, *, names: Names, removal_policy: RemovalPolicy) -> None:
        super().__init__(scope, construct_id)
        self.key = aws_kms.Key(
            self,
            "Key",
            alias=names.receipts_key,
            description="Context Memory: signs receipts of erasures",
            key_spec=aws_kms.KeySpec.ECC_NIST_P256,
            key_usage=aws_kms.KeyUsage.SIGN_VERIFY,
            removal_policy=removal_policy,
        )
        ours = {"kms:CallerAccount": names.account}
        self.key.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="WhoErasesSigns",
                principals=[aws_iam.AnyPrincipal()],
                actions=["kms:Sign"],
                resources=["*"],
                conditions={
                    "StringEquals": ours,
                    "ArnEquals": {
                        "aws:PrincipalArn": [names.role_arn(names.function_role(function)) for function in SIGNERS]
                    },
                },
            )
        )
        self.key.add_to_resource_policy(
            aws_iam.PolicyStatement(
                sid="TheAccountVerifies",
                principals=[aws_iam.AnyPrincipal()],
                actions=["kms:GetPublicKey", "kms:Verify"],
                resources=["*"],
                conditions={"StringEquals": ours},
            )
        )
        name_statements(self.key, "KeyPolicy", ["TheAccountsAdministrators"])
