"""Who may do what: all roles of the service, on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import aws_iam

from infra.components.function_role import FunctionRole
from infra.components.user_data_policies import UserDataPolicies
from infra.components.user_data_role import UserDataRole
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

# Which user-data roles each function needs, and so may assume.
NEEDED = {
    "load": ("read",),
    "ingest": ("read", "write"),
    "consolidate": ("write", "erase"),
    "maintain": ("write", "erase", "lister"),
    "account": ("read",),
    "admin": (),
}
READ_FLAGS = frozenset({"load", "ingest", "consolidate", "maintain", "account", "admin"})
"""Functions that ask whether a company has a memory, or what it may spend."""
_USER_TAGS = ("company_id", "user_id")
_COMPANY_TAGS = ("company_id",)


class AccessStack(EnvironmentStack):
    """One role per function, and the user-data roles that they assume."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="roles")
        rights = self._function_rights(names)
        needed = {function: NEEDED[function] for function in environment.functions}
        functions = {
            function: FunctionRole(
                self,
                f"{function.title()}Function",
                names=names,
                function=function,
                user_data_roles=roles,
                statements=rights[function],
                policies=[names.flags_policy] if function in READ_FLAGS else [],
            ).role
            for function, roles in needed.items()
        }
        policies = UserDataPolicies(names=names, root_folder=environment.root_folder)
        for role, tags, statements in (
            ("read", _USER_TAGS, policies.read()),
            ("write", _USER_TAGS, policies.write()),
            ("erase", _USER_TAGS, policies.erase()),
            ("lister", _COMPANY_TAGS, policies.lister()),
        ):
            UserDataRole(
                self,
                f"{role.title()}UserData",
                name=names.user_data_role(role),
                tags=tags,
                trusted={function: functions[function] for function, assumed in needed.items() if role in assumed},
                statements=statements,
            )

    @staticmethod
    def _function_rights(names: Names) -> dict[str, Sequence[aws_iam.PolicyStatement]]:
        turns, dead_letters = names.queue_arn(names.turns_queue), names.queue_arn(names.dead_letter_queue)
        ring = _allow("RingTurns", ["sqs:SendMessage"], [turns])
        # A listing of companies names no user; whoever follows it up does so under that company's and user's tags.
        companies = {"StringEquals": {"s3:prefix": "turns/", "s3:delimiter": "/"}}
        company_table = names.table_arn(names.company_table)
        company = _allow("ReadCompany", ["dynamodb:GetItem"], [company_table], _items_of_companies("company"))
        counters = _items_of_companies("budget")
        read_spending = _allow("ReadSpending", ["dynamodb:Query"], [company_table], counters)
        return {
            "load": [ring, company],
            "ingest": [ring, company, read_spending],
            "admin": [
                company,
                read_spending,
                _allow("ChangeCompany", ["dynamodb:UpdateItem"], [company_table], _items_of_companies("company")),
            ],
            "consolidate": [
                company,
                _allow(
                    "AnswerTurns",
                    [
                        "sqs:ReceiveMessage",
                        "sqs:DeleteMessage",
                        "sqs:ChangeMessageVisibility",
                        "sqs:GetQueueAttributes",
                    ],
                    [turns],
                ),
                read_spending,
                _allow("CountSpending", ["dynamodb:UpdateItem"], [company_table], counters),
                _allow("ReportDead", ["sqs:SendMessage"], [dead_letters]),
                _allow(
                    "ReadModelKey",
                    ["secretsmanager:GetSecretValue"],
                    [names.secret_arn_pattern(names.model_key_secret)],
                ),
            ],
            "account": [company],
            "maintain": [
                ring,
                company,
                read_spending,
                _allow(
                    "ListCompaniesWithTurns",
                    ["s3:ListBucket"],
                    [names.bucket_arn(names.work_bucket)],
                    companies,
                ),
            ],
        }


def _items_of_companies(kind: str) -> dict[str, Any]:
    """Items of one kind, of any company; a user's key holds no `##`, and keys of spaces and links end otherwise."""
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"*##{kind}"]},
        # Without it the condition above would hold for a request that names no key.
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


def _allow(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: dict[str, Any] | None = None
) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(sid=sid, actions=list(actions), resources=list(resources), conditions=conditions)
