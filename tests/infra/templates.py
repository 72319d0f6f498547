"""Synthesises the stacks of an environment and reads their templates with all intrinsics filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from aws_cdk import App
from aws_cdk.assertions import Template

from infra.environments import DEV
from infra.environments.parts import Company, Oidc, Page, Principal
from infra.layers.places import ROOT
from infra.names import Names
from infra.stacks.service import CodeFolders
from infra.synthesis import add_stacks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from aws_cdk import Stack

    from infra.environments import Environment

WITH_USERS = replace(
    DEV,
    oidc=Oidc(issuer="https://issuer.example", audiences={"acme-app": ("acme",)}),
    models=replace(DEV.models, embedding_base_url="https://vectors.example/v1"),
)
"""`dev` with all that there can be: its own file says neither who signs users' tokens nor who else makes vectors."""
GUARDED = replace(
    WITH_USERS,
    durable=True,
    companies={**DEV.companies, "partner": Company(callers=(Principal(account="9" * 12, role="their-orchestrator"),))},
)
"""The same with every policy that there can be: records that nobody deletes, callers of another account."""
WITH_A_PAGE = replace(
    WITH_USERS,
    page=Page(
        client_id="page",
        sign_in_origins=("https://sign-in.example",),
        domain="memory.example",
        certificate="arn:aws:acm:us-east-1:111122223333:certificate/its-id",
    ),
)
"""The same with a page of users, under a name of its own."""
ACCOUNT, REGION = "111122223333", "eu-central-1"
_PSEUDO = {"AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com"}


@dataclass(frozen=True)
class Templates:
    """Templates by concern; references between resources read as `<LogicalId>`."""

    by_concern: Mapping[str, Mapping[str, Any]]
    dependencies: Mapping[str, frozenset[str]]
    names: Names

    def resources(self, kind: str, concern: str | None = None) -> dict[str, dict[str, Any]]:
        """Properties of all resources of a kind, by logical id."""
        return {
            logical_id: resource.get("Properties", {})
            for logical_id, resource in self._all(concern)
            if resource["Type"] == kind
        }

    def named(self, kind: str, attribute: str) -> dict[str, dict[str, Any]]:
        """Properties of all resources of a kind, by physical name."""
        return {properties[attribute]: properties for properties in self.resources(kind).values()}

    def statements(self, role: str) -> list[dict[str, Any]]:
        """What a role, by physical name, may do: its own policies, and those of other stacks that it names."""
        properties = self.named("AWS::IAM::Role", "RoleName")[role]
        managed = self.named("AWS::IAM::ManagedPolicy", "ManagedPolicyName")
        attached = [managed[arn.rpartition("/")[2]] for arn in properties.get("ManagedPolicyArns", ())]
        policies = [*properties.get("Policies", ()), *attached]
        return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]

    def trust(self, role: str) -> list[dict[str, Any]]:
        """Who may assume a role."""
        document = self.named("AWS::IAM::Role", "RoleName")[role]["AssumeRolePolicyDocument"]
        statements: list[dict[str, Any]] = document["Statement"]
        return statements

    @property
    def data_key(self) -> tuple[str, dict[str, Any]]:
        """Logical id and properties of the key of everything that is stored; the other of its stack only signs."""
        keys = self.resources("AWS::KMS::Key", "storage").items()
        (found,) = [(logical_id, key) for logical_id, key in keys if "KeyUsage" not in key]
        return found

    def mapping(self, queue: str) -> dict[str, Any]:
        """Who takes what from a queue, named by what is its own in the name."""
        arn = self.names.queue_arn(self.names.plain(queue))
        (found,) = [
            one for one in self.resources("AWS::Lambda::EventSourceMapping").values() if one["EventSourceArn"] == arn
        ]
        return found

    def raw(self, concern: str) -> dict[str, Any]:
        """All resources of a stack, with deletion policies."""
        return dict(self._all(concern))

    def _all(self, concern: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, template in self.by_concern.items():
            if concern in {None, name}:
                yield from template["Resources"].items()


def stacks_of(app: App, environment: Environment, code: Path) -> dict[str, Stack]:
    """Define the stacks with `code/own` and `code/dependencies` as layers; returns them by concern."""
    app.node.set_context("aws:cdk:disable-asset-staging", value=True)
    folders = CodeFolders(
        functions=ROOT / "functions", own_layer=code / "own", dependencies_layer=code / "dependencies"
    )
    return add_stacks(app, environment, folders)


def synthesise(environment: Environment, code: Path) -> Templates:
    """Define the stacks as `stacks_of` does, and read their templates."""
    stacks = stacks_of(App(), environment, code)
    names = Names(environment=environment.name, account=ACCOUNT, region=REGION)
    return Templates(
        {concern: filled(Template.from_stack(stack).to_json()) for concern, stack in stacks.items()},
        {concern: frozenset(needed.stack_name for needed in stack.dependencies) for concern, stack in stacks.items()},
        names,
    )


def listed(value: str | list[str]) -> list[str]:
    """CloudFormation writes a list of one as its entry."""
    return value if isinstance(value, list) else [value]


def filled(value: Any) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(value, dict):
        return [filled(entry) for entry in value] if isinstance(value, list) else value
    if set(value) == {"Ref"}:
        return _PSEUDO.get(value["Ref"], f"<{value['Ref']}>")
    if set(value) == {"Fn::GetAtt"}:
        return f"<{value['Fn::GetAtt'][0]}>"
    if set(value) == {"Fn::Join"}:
        separator, parts = value["Fn::Join"]
        return separator.join(filled(part) for part in parts)
    if set(value) == {"Fn::Sub"}:
        return re.sub(r"\$\{([^}]+)\}", lambda name: _PSEUDO[name[1]], value["Fn::Sub"])
    return {key: filled(entry) for key, entry in value.items()}
