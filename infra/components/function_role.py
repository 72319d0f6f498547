"""A function's own role: it may log, and what the caller states; never touch user data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.names import Names


class FunctionRole(Construct):
    """Assumed by Lambda for one function; `user_data_roles` are those that it may assume, none where it needs none.

    `policies` are names of managed policies of other stacks.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        function: str,
        user_data_roles: Sequence[str],
        statements: Sequence[aws_iam.PolicyStatement] = (),
        policies: Sequence[str] = (),
    ) -> None:
        super().__init__(scope, construct_id)
        log_group = names.arn("logs", f"log-group:{names.log_group(names.function(function))}:*")
        own = [
            aws_iam.PolicyStatement(
                sid="WriteOwnLogs", actions=["logs:CreateLogStream", "logs:PutLogEvents"], resources=[log_group]
            ),
            aws_iam.PolicyStatement(
                sid="WriteTraces",
                actions=["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
                resources=["*"],  # X-Ray knows no resources here
            ),
        ]
        if user_data_roles:
            own += [
                aws_iam.PolicyStatement(
                    sid="ReadHashKey",  # lines name users by a keyed hash
                    actions=["secretsmanager:GetSecretValue"],
                    resources=[names.secret_arn_pattern(names.hash_secret)],
                ),
                aws_iam.PolicyStatement(
                    sid="ActForOneUser",
                    actions=["sts:AssumeRole", "sts:TagSession"],
                    resources=[names.role_arn(names.user_data_role(role)) for role in user_data_roles],
                ),
            ]
        self.role = aws_iam.Role(
            self,
            "Role",
            role_name=names.function_role(function),
            assumed_by=aws_iam.ServicePrincipal("lambda.amazonaws.com"),
            managed_policies=[
                aws_iam.ManagedPolicy.from_managed_policy_arn(self, f"Policy{number}", names.policy_arn(policy))
                for number, policy in enumerate(policies)
            ],
            inline_policies={"function": aws_iam.PolicyDocument(statements=[*own, *statements])},
        )
        name_statements(self.role, "AssumeRolePolicyDocument", ["LambdaRunsTheFunction"])
