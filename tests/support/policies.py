"""Every IAM policy of the synthesised stacks, and whom or what it is attached to."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from infra.names import Names

Document = dict[str, Any]
Resources = dict[str, dict[str, Any]]
# Ids that AWS makes up, as the cells of the access matrix name them.
_MADE_UP = {
    "AWS::ApiGatewayV2::Api": "api",
    "AWS::AppConfig::Application": "flags",
    "AWS::AppConfig::Environment": "ours",
    "AWS::AppConfig::ConfigurationProfile": "companies",
}
_REFERENCE = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A document; `roles` have it as their own, `places` (ARNs) are guarded by it.

    A managed policy stands among `roles` with its own name, for whomever it will be attached to.
    """

    name: str
    document: Document
    roles: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()


def policies_of(templates: Mapping[str, Mapping[str, Any]], names: Names) -> list[Policy]:
    """Read templates by concern, in which references stand as `<LogicalId>` and all else is filled in."""
    found: list[Policy] = []
    for concern, template in templates.items():
        resources: Resources = template["Resources"]
        arns = {logical: arn for logical, one in resources.items() if (arn := _reference(one, concern, names))}
        for logical, one in resources.items():
            properties = _resolved(one.get("Properties", {}), arns)
            found += _policies(f"{concern}/{logical}", one["Type"], properties, arns.get(logical, ""))
    holders = _holders(templates)
    return [replace(one, roles=one.roles.union(*(holders.get(name, set()) for name in one.roles))) for one in found]


def _holders(templates: Mapping[str, Mapping[str, Any]]) -> dict[str, set[str]]:
    """Names of the roles to which each managed policy is attached by its ARN, by the policy's name."""
    holders: dict[str, set[str]] = {}
    for template in templates.values():
        for one in template["Resources"].values():
            for arn in one.get("Properties", {}).get("ManagedPolicyArns", ()):
                holders.setdefault(arn.rsplit("/", 1)[-1], set()).add(one["Properties"]["RoleName"])
    return holders


def _policies(name: str, kind: str, properties: dict[str, Any], arn: str) -> Iterator[Policy]:
    if kind == "AWS::IAM::Role":
        yield Policy(name=f"{name}/trust", document=properties["AssumeRolePolicyDocument"], places=frozenset({arn}))
        for inline in properties.get("Policies", ()):
            yield Policy(
                name=f"{name}/{inline['PolicyName']}",
                document=inline["PolicyDocument"],
                roles=frozenset({properties["RoleName"]}),
            )
    elif kind in {"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"}:
        holders = {*properties.get("Roles", ()), *([properties["ManagedPolicyName"]] if "Managed" in kind else [])}
        yield Policy(name=name, document=properties["PolicyDocument"], roles=frozenset(holders))
    elif kind == "AWS::KMS::Key":
        yield Policy(name=name, document=properties["KeyPolicy"], places=frozenset({arn}))
    elif kind in {"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"}:
        guarded = properties.get("Queues") or properties.get("Topics") or [properties["Bucket"]]
        yield Policy(name=name, document=properties["PolicyDocument"], places=frozenset(guarded))


def _reference(resource: dict[str, Any], concern: str, names: Names) -> str | None:
    properties = resource.get("Properties", {})
    match resource["Type"]:
        case "AWS::IAM::Role":
            return names.role_arn(properties["RoleName"])
        case "AWS::S3::Bucket":
            return names.bucket_arn(properties["BucketName"])
        case "AWS::SQS::Queue":
            return names.queue_arn(properties["QueueName"])
        case "AWS::KMS::Key":
            return names.arn("kms", f"key/{concern}")  # AWS makes its id up; each stack has at most one
        case "AWS::SNS::Topic":
            return names.arn("sns", properties["TopicName"])
    # AWS makes ids up; of deployment strategies there are two.
    return (
        properties["Name"]
        if resource["Type"] == "AWS::AppConfig::DeploymentStrategy"
        else _MADE_UP.get(resource["Type"])
    )


def _resolved(value: Any, arns: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: arns.get(found[1], found[0]), value)
    if isinstance(value, list):
        return [_resolved(entry, arns) for entry in value]
    if isinstance(value, dict):
        return {key: _resolved(entry, arns) for key, entry in value.items()}
    return value
