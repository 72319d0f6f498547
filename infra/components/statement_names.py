"""Names for statements that the CDK writes by itself and leaves without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnResource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from constructs import IConstruct


def name_statements(owner: IConstruct, document: str, names: Iterable[str]) -> None:
    """Give the statements of a policy their sids, in the order in which they stand.

    Args:
        owner: construct whose resource holds the policy.
        document: the property that is the policy, such as `AssumeRolePolicyDocument`.
        names: one for each statement.
    """
    resource = owner.node.default_child
    if not isinstance(resource, CfnResource):
        raise TypeError(f"{owner.node.path} stands for no resource")
    for index, name in enumerate(names):
        resource.add_property_override(f"{document}.Statement.{index}.Sid", name)
