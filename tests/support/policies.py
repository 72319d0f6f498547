"""Every IAM policy of the synthesised stacks, and whom or what it is attached to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from infra.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Document = dict[str, Any]
Resources = dict[str, dict[str, Any]]
Path = tuple[str | int, ...]
# Ids that AWS makes up, as the cells of the access matrix name them.
_MADE_UP = {
    "AWS::ApiGatewayV2::Api": "api",
    "AWS::AppConfig::Application": "flags",
    "AWS::AppConfig::Environment": "ours",
    "AWS::AppConfig::ConfigurationProfile": "companies",
}
# What has a name, and the ARN that follows from it.
_NAMED: dict[str, tuple[str, Callable[[Names, str], str]]] = {
    "AWS::IAM::Role": ("RoleName", Names.role_arn),
    "AWS::IAM::ManagedPolicy": ("ManagedPolicyName", Names.policy_arn),
    "AWS::S3::Bucket": ("BucketName", Names.bucket_arn),
    "AWS::SQS::Queue": ("QueueName", Names.queue_arn),
    "AWS::AppConfig::DeploymentStrategy": ("Name", lambda _names, strategy: strategy),  # there are two
    "AWS::SNS::Topic": ("TopicName", lambda names, topic: names.arn("sns", topic)),
}
_REFERENCE = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A document; `roles` have it as their own, `places` (ARNs) are guarded by it.

    A managed policy stands among `roles` with its own name, for whomever it will be attached to.
    `written`: the document with references to other resources, whose `arns` are known.
    `path`: where it stands in the templates, from the concern on.
    """

    name: str
    written: Document
    roles: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    path: Path = ()
    arns: Mapping[str, str] = field(default_factory=dict)

    @property
    def document(self) -> Document:
        """The document with ARNs for references."""
        return self.filled(self.written)

    def filled(self, written: Document) -> Document:
        """Another document of the same stack with ARNs for references."""
        document: Document = _resolved(written, self.arns)
        return document

    def rewritten(self, templates: Mapping[str, Any], document: Document) -> dict[str, Any]:
        """The templates with another document in the place of this one."""
        templates_then: dict[str, Any] = _replaced(templates, self.path, document)
        return templates_then


def policies_of(templates: Mapping[str, Mapping[str, Any]], names: Names) -> list[Policy]:
    """Read templates by concern, in which references stand as `<LogicalId>` and all else is filled in."""
    found: list[Policy] = []
    for concern, template in templates.items():
        arns = _arns(concern, template, names)
        for logical, one in template["Resources"].items():
            place = (concern, "Resources", logical, "Properties")
            found += (
                replace(
                    policy, path=(*place, *policy.path), places=frozenset(_resolved([*policy.places], arns)), arns=arns
                )
                for policy in _policies(f"{concern}/{logical}", one["Type"], one.get("Properties", {}), f"<{logical}>")
            )
    holders = _holders(templates, names)
    return [replace(one, roles=one.roles.union(*(holders.get(name, set()) for name in one.roles))) for one in found]


def _arns(concern: str, template: Mapping[str, Any], names: Names) -> dict[str, str]:
    """What references to the resources of a stack stand for, by logical id."""
    resources: Resources = template["Resources"]
    return {logical: arn for logical, one in resources.items() if (arn := _reference(one, concern, names))}


def _holders(templates: Mapping[str, Mapping[str, Any]], names: Names) -> dict[str, set[str]]:
    """Names of the roles to which each managed policy is attached by its ARN, by the policy's name."""
    holders: dict[str, set[str]] = {}
    for concern, template in templates.items():
        arns = _arns(concern, template, names)
        for one in template["Resources"].values():
            for arn in _resolved(one.get("Properties", {}).get("ManagedPolicyArns", []), arns):
                holders.setdefault(arn.rsplit("/", 1)[-1], set()).add(one["Properties"]["RoleName"])
    return holders


def _policies(name: str, kind: str, properties: dict[str, Any], itself: str) -> Iterator[Policy]:
    if kind == "AWS::IAM::Role":
        trust = "AssumeRolePolicyDocument"
        yield Policy(name=f"{name}/trust", written=properties[trust], places=frozenset({itself}), path=(trust,))
        for index, inline in enumerate(properties.get("Policies", ())):
            yield Policy(
                name=f"{name}/{inline['PolicyName']}",
                written=inline["PolicyDocument"],
                roles=frozenset({properties["RoleName"]}),
                path=("Policies", index, "PolicyDocument"),
            )
        return
    path = ("KeyPolicy" if kind == "AWS::KMS::Key" else "PolicyDocument",)
    if kind in {"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"}:
        holders = {*properties.get("Roles", ()), *([properties["ManagedPolicyName"]] if "Managed" in kind else [])}
        yield Policy(name=name, written=properties[path[0]], roles=frozenset(holders), path=path)
    elif kind == "AWS::KMS::Key":
        yield Policy(name=name, written=properties[path[0]], places=frozenset({itself}), path=path)
    elif kind in {"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"}:
        guarded = properties.get("Queues") or properties.get("Topics") or [properties["Bucket"]]
        yield Policy(name=name, written=properties[path[0]], places=frozenset(guarded), path=path)


def _reference(resource: dict[str, Any], concern: str, names: Names) -> str | None:
    properties = resource.get("Properties", {})
    kind = resource["Type"]
    if kind == "AWS::KMS::Key":
        # AWS makes its id up; each stack has at most one of each use.
        signs = properties.get("KeyUsage") == "SIGN_VERIFY"
        return names.arn("kms", f"key/{concern}/receipts" if signs else f"key/{concern}")
    if kind in _NAMED:
        attribute, arn = _NAMED[kind]
        return arn(names, properties[attribute])
    return _MADE_UP.get(kind)


def _resolved(value: Any, arns: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: arns.get(found[1], found[0]), value)
    if isinstance(value, list):
        return [_resolved(entry, arns) for entry in value]
    if isinstance(value, dict):
        return {key: _resolved(entry, arns) for key, entry in value.items()}
    return value


def _replaced(value: Any, path: Path, new: Document) -> Any:  # noqa: ANN401 - JSON
    """A copy of JSON in which `new` stands where the path leads; what lies beside the path is shared."""
    if not path:
        return new
    step, *rest = path
    copied: Any = list(value) if isinstance(value, list) else dict(value)
    copied[step] = _replaced(value[step], tuple(rest), new)
    return copied
