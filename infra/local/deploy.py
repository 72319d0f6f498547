"""Deploys synthesised stacks to the emulator through boto3 and CloudFormation: no Node, no bootstrap stack."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from infra.layers.cache import source_files
from infra.local.cloudformation import DeployFailed, deploy_stack, destroy_stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from infra.local.assembly import Asset, SynthesisedStack
    from infra.local.cloudformation import DeployedStack
    from infra.local.emulated import Emulated

_BOOTSTRAP_VERSION_PARAMETER = "/cdk-bootstrap/hnb659fds/version"
_TEMPLATES = "cdk-hnb659fds-assets-${AWS::AccountId}-${AWS::Region}"
_MANY_FILES = 1000


def deploy(
    emulated: Emulated,
    stacks: Sequence[SynthesisedStack],
    variables: Mapping[str, str],
    unpacked_layers: Path,
    *,
    literals: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, DeployedStack]:
    """Deploy or update stacks in the order given; returns by stack what that meant, and its outputs.

    Args:
        emulated: where to.
        stacks: from `infra.local.assembly.stacks`.
        variables: replace the values that functions have for environment variables of these names; a function that
            does not have one does not get it.
        unpacked_layers: where the emulator looks for layers that need not be unpacked again.
        literals: texts that stand in templates for what only this machine knows, and what replaces them.

    Raises:
        DeployFailed: a stack did not reach a complete state.
    """
    emulated.ssm.put_parameter(Name=_BOOTSTRAP_VERSION_PARAMETER, Value="99", Type="String", Overwrite=True)
    deployed = {}
    for stack in stacks:
        template = with_variables(stack.template, variables)
        body = json.dumps(template, separators=(",", ":"))
        for literal, value in literals.items():
            body = body.replace(literal, value)
        for asset in stack.assets:
            if asset.zipped:
                digest = _upload(emulated, asset)
                body = body.replace(asset.key, f"{digest}.zip")
                if _is_large(asset.source) and not (unpacked_layers / digest).exists():
                    (unpacked_layers / digest).symlink_to(asset.source, target_is_directory=True)
        deployed[stack.name] = deploy_stack(emulated, stack.name, body, templates=_bucket(emulated, _TEMPLATES))
    return deployed


def destroy(emulated: Emulated, stacks: Sequence[SynthesisedStack]) -> None:
    """Delete stacks, each before those that it depends on; what their templates retain stays.

    Raises:
        DeployFailed: a stack is protected, or something in it would not go.
    """
    for stack in reversed(stacks):
        destroy_stack(emulated, stack.name)


def with_variables(template: Mapping[str, Any], variables: Mapping[str, str]) -> dict[str, Any]:
    """A copy of a template in which functions have these values for those of the variables that they have."""
    copy: dict[str, Any] = json.loads(json.dumps(template))
    for resource in copy["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Function":
            present = resource["Properties"]["Environment"]["Variables"]
            present.update({name: value for name, value in variables.items() if name in present})
    return copy


def _upload(emulated: Emulated, asset: Asset) -> str:
    """Upload a folder under the hash of what is in it now; returns that hash, so that changed code is changed code."""
    content = zipped(asset.source)
    digest = hashlib.sha256(content).hexdigest()
    bucket = _bucket(emulated, asset.bucket)
    emulated.s3.create_bucket(Bucket=bucket)  # in this region an error only if it is somebody else's
    emulated.s3.put_object(Bucket=bucket, Key=f"{digest}.zip", Body=content)
    return digest


def _bucket(emulated: Emulated, pattern: str) -> str:
    return pattern.replace("${AWS::AccountId}", emulated.account).replace("${AWS::Region}", emulated.region)


def _is_large(folder: Path) -> bool:
    # Unpacking thousands of small files takes seconds; the few of ours are better a copy that nobody edits meanwhile.
    return sum(1 for _ in folder.rglob("*.py")) > _MANY_FILES


def zipped(folder: Path) -> bytes:
    """A folder as an archive without times; packing hard would take longer than it saves on one machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(_packed_files(folder)):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (file.stat().st_mode & 0xFFFF) << 16
            archive.writestr(entry, file.read_bytes())
    return buffer.getvalue()


def _packed_files(folder: Path) -> Iterable[Path]:
    if (folder / "python").is_dir():  # a layer, built with its byte code
        return (file for file in folder.rglob("*") if file.is_file())
    return source_files(folder)


__all__ = ["DeployFailed", "deploy", "destroy", "with_variables", "zipped"]
