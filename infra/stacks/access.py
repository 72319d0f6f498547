"""Who may do what: all roles of the service, on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.components.function_rights import FunctionRights
from infra.components.function_role import FunctionRole
from infra.components.user_data_policies import UserDataPolicies
from infra.components.user_data_role import UserDataRole
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

# Which user-data roles each function needs, and so may assume.
NEEDED = {
    "load": ("read",),
    "ingest": ("read", "write"),
    "recall": ("recall",),
    "consolidate": ("write", "erase"),
    "extract": ("write",),
    "maintain": ("write", "erase", "lister"),
    "account": ("read", "write", "erase"),
    "admin": (),
}
READ_FLAGS = frozenset({"load", "ingest", "recall", "consolidate", "extract", "maintain", "account", "admin"})
"""Functions that ask whether a company has a memory, or what it may spend."""
_USER_TAGS = ("company_id", "user_id")
_COMPANY_TAGS = ("company_id",)


class AccessStack(EnvironmentStack):
    """One role per function, and the user-data roles that they assume."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="roles")
        rights = FunctionRights(names, environment.models, lance=environment.lance is not None).by_function()
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
            ("recall", _USER_TAGS, policies.recall()),
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
