"""Creates, updates and deletes one stack, and says which of it was needed."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from infra.local.emulated import Emulated

LARGEST_INLINE_TEMPLATE = 51_200
"""Bytes of a template that CloudFormation takes in a request; larger ones it reads from a bucket."""
_STACK_SECONDS = 120
_SECONDS_BETWEEN_LOOKS = 0.05
_COMPLETE = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE"})
_CAPABILITIES: Any = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"]


class DeployFailed(Exception):
    """A stack did not deploy or go; the message names it and what CloudFormation said of its resources."""


class Change(StrEnum):
    """What deploying a stack meant."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeployedStack:
    """A stack that is there, its outputs by key."""

    change: Change
    outputs: Mapping[str, str] = field(default_factory=dict)


def deploy_stack(emulated: Emulated, name: str, body: str, *, templates: str) -> DeployedStack:
    """Create a stack, or bring it up to date; `templates` is a bucket for templates too large for a request.

    Raises:
        DeployFailed: it did not reach a complete state.
    """
    template = _template(emulated, body, templates)
    try:
        change = _change(emulated, name, body, template)
    except ClientError as error:
        raise DeployFailed(f"{name}: {error}") from error
    return DeployedStack(change=change, outputs=_finished(emulated, name))


def destroy_stack(emulated: Emulated, name: str) -> None:
    """Delete a stack; what its template retains stays.

    Raises:
        DeployFailed: it is protected, or something in it would not go.
    """
    try:
        # By id: under its name a deleted stack is not found any more.
        stack_id = emulated.cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackId"]
        emulated.cloudformation.delete_stack(StackName=name)
    except ClientError as error:
        raise DeployFailed(f"{name}: {error}") from error
    stack = _settled(emulated, str(stack_id))
    if stack["StackStatus"] != "DELETE_COMPLETE":
        raise DeployFailed(_complaint(emulated, str(stack_id), name, stack["StackStatus"]))


def _change(emulated: Emulated, name: str, body: str, template: Any) -> Change:  # noqa: ANN401 - arguments of a call
    cloudformation = emulated.cloudformation
    try:
        cloudformation.create_stack(StackName=name, Capabilities=_CAPABILITIES, **template)
    except cloudformation.exceptions.AlreadyExistsException:
        # As the CDK's command line does: CloudFormation itself takes a reference that is resolved at deployment for
        # a change, every time.
        if _is_deployed(emulated, name, body):
            return Change.UNCHANGED
        cloudformation.update_stack(StackName=name, Capabilities=_CAPABILITIES, **template)
        return Change.UPDATED
    return Change.CREATED


def _is_deployed(emulated: Emulated, name: str, body: str) -> bool:
    status = emulated.cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
    deployed: Any = emulated.cloudformation.get_template(StackName=name)["TemplateBody"]
    template = json.loads(deployed) if isinstance(deployed, str) else deployed
    return status in _COMPLETE and bool(template == json.loads(body))


def _template(emulated: Emulated, body: str, bucket: str) -> dict[str, str]:
    content = body.encode()
    if len(content) <= LARGEST_INLINE_TEMPLATE:
        return {"TemplateBody": body}
    key = f"{hashlib.sha256(content).hexdigest()}.json"
    emulated.s3.create_bucket(Bucket=bucket)  # in this region an error only if it is somebody else's
    emulated.s3.put_object(Bucket=bucket, Key=key, Body=content)
    return {"TemplateURL": f"{emulated.endpoint_url}/{bucket}/{key}"}


def _finished(emulated: Emulated, name: str) -> dict[str, str]:
    stack = _settled(emulated, name)
    if stack["StackStatus"] not in _COMPLETE:
        raise DeployFailed(_complaint(emulated, name, name, stack["StackStatus"]))
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", ())}


def _settled(emulated: Emulated, stack: str) -> Any:  # noqa: ANN401 - a stack as CloudFormation describes it
    deadline = time.monotonic() + _STACK_SECONDS
    while True:
        described = emulated.cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
        if not described["StackStatus"].endswith("IN_PROGRESS"):
            return described
        if time.monotonic() > deadline:
            raise DeployFailed(f"{stack} is still {described['StackStatus']} after {_STACK_SECONDS} seconds.")
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _complaint(emulated: Emulated, stack: str, name: str, status: str) -> str:
    events = emulated.cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
    reasons = [
        f"  {event.get('LogicalResourceId')}: {event.get('ResourceStatusReason')}"
        for event in events
        if "FAILED" in event.get("ResourceStatus", "")
    ]
    return "\n".join([f"{name}: {status}", *reasons])
