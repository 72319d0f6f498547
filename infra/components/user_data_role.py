"""A role that is assumed for one user or one company, named by session tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam
from constructs import Construct

from infra.components.statement_names import name_statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class UserDataRole(Construct):
    """Trusts the given function roles alone, by function, and them only with exactly the given session tags."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        tags: Sequence[str],
        trusted: Mapping[str, aws_iam.IRole],
        statements: Sequence[aws_iam.PolicyStatement],
    ) -> None:
        super().__init__(scope, construct_id)
        conditions = {
            # Every tag is there (a policy variable without a value would match nothing, but that is no guard to
            # lean on), none is empty, and there is no other.
            "Null": {f"aws:RequestTag/{tag}": "false" for tag in tags},
            "StringLike": {f"aws:RequestTag/{tag}": "?*" for tag in tags},
            "ForAllValues:StringEquals": {"aws:TagKeys": list(tags)},
        }
        principals = [
            aws_iam.ArnPrincipal(role.role_arn).with_conditions(conditions).with_session_tags()
            for role in trusted.values()
        ]
        self.role = aws_iam.Role(
            self,
            "Role",
            role_name=name,
            assumed_by=aws_iam.CompositePrincipal(*principals),
            inline_policies={"user-data": aws_iam.PolicyDocument(statements=list(statements))},
        )
        sids = [f"{function.title()}NamesWhom" for function in trusted]
        name_statements(self.role, "AssumeRolePolicyDocument", sids)
