"""Lets cdk-nag look at the stacks of an app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aws_cdk import Acknowledgment, Validations
from cdk_nag import AwsSolutionsChecks, ServerlessChecks

from infra.nag.acknowledged import acknowledged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import App, Stack
    from constructs import IConstruct

    from infra.environments import Environment

_OWN_NODE = "/Resource"  # what the CDK calls the resource of a construct that stands for one


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A rule that a resource breaks; `at` reads `<concern>/<path in its stack>`."""

    rule: str
    at: str


def guard(app: App, stacks: Mapping[str, Stack], environment: Environment) -> None:
    """Let the synthesis of `app` fail on everything that both packs find and that is not acknowledged."""
    for entry in acknowledged(environment):
        concern, _, path = entry.at.partition("/")
        found = _find(stacks.get(concern), path)
        if found is not None:  # an environment without this part needs no acknowledgement for it
            Validations.of(found).acknowledge(Acknowledgment(id=entry.rule, reason=entry.reason))
    Validations.of(app).add_plugins(AwsSolutionsChecks(), ServerlessChecks())


def findings(stacks: Mapping[str, Stack]) -> set[Finding]:
    """Everything that both packs find and that is not acknowledged in the tree."""
    return {
        Finding(violation.rule_name, f"{concern}/{_short(resource.construct_path, stack)}")
        for concern, stack in stacks.items()
        for pack in (AwsSolutionsChecks(), ServerlessChecks())
        for violation in pack.validate_scope(stack).violations
        for resource in violation.violating_resources
    }


def _short(path: str | None, stack: Stack) -> str:
    return (path or "").removeprefix(f"{stack.node.path}/").removesuffix(_OWN_NODE)


def _find(stack: Stack | None, path: str) -> IConstruct | None:
    found: IConstruct | None = stack
    for part in path.split("/"):
        found = found.node.try_find_child(part) if found is not None else None
    return found
