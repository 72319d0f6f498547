"""Who may call the API for a company: three managed policies, and a role for callers of other accounts.

An orchestrator may load and hand over turns, and neither export nor erase; a reader may only look; an administrator
may do all there is for the company. Each right names stage, method and path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.environments.parts import Principal
    from infra.names import Names

STAGE = "$default"
RIGHTS = {
    "orchestrator": (
        *("GET {company}/users/*/memory", "POST {company}/users/*/turns", "GET {company}/users/*/turns/*"),
        *("POST {company}/users/*/recall", "POST {company}/users/*/citations"),
    ),
    "reader": ("GET {company}/users/*/memory", "GET {company}/users/*/turns/*"),
    "administrator": tuple(
        f"{method} {{company}}{below}" for method in ("GET", "POST", "PUT", "DELETE") for below in ("", "/*")
    ),
}
"""By kind of caller what its policy lets through: methods and paths, in which `*` stands for anything."""


class CompanyCallers(Construct):
    """The policies of one company, to be attached by whoever runs its orchestrator.

    HTTP APIs have no resource policies: a caller of another account takes the role instead, which only the pinned
    principals may, and which holds the orchestrator's policy.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        names: Names,
        company_id: str,
        api_id: str,
        elsewhere: Sequence[Principal],
    ) -> None:
        super().__init__(scope, construct_id)
        policies = {
            kind: aws_iam.ManagedPolicy(
                self,
                kind.title(),
                managed_policy_name=names.caller_policy(company_id, kind),
                description=f"Context Memory: call for the company {company_id} as its {kind}",
                statements=[
                    aws_iam.PolicyStatement(
                        sid="CallForTheCompany",
                        actions=["execute-api:Invoke"],
                        resources=[_arn(names, api_id, right, company_id) for right in rights],
                    )
                ],
            )
            for kind, rights in RIGHTS.items()
        }
        if elsewhere:
            aws_iam.Role(
                self,
                "Role",
                role_name=names.caller_role(company_id),
                description=f"Context Memory: call for the company {company_id} from another account",
                assumed_by=aws_iam.CompositePrincipal(
                    *(
                        aws_iam.ArnPrincipal(f"arn:{names.partition}:iam::{one.account}:role/{one.role}")
                        for one in elsewhere
                    )
                ),
                managed_policies=[policies["orchestrator"]],
            )


def _arn(names: Names, api_id: str, right: str, company_id: str) -> str:
    method, path = right.format(company=f"/v1/companies/{company_id}").split(" ")
    return names.arn("execute-api", f"{api_id}/{STAGE}/{method}{path}")
