"""The synthesised stacks: made once per content of what they are made from, in the order in which they deploy."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infra.layers.cache import built_once, fingerprint, source_files
from infra.layers.places import dependencies_layer, own_layer
from infra.local.paths import ASSEMBLY, ROOT, module

if TYPE_CHECKING:
    from pathlib import Path

_TARGET = "host"


class SynthesisFailed(Exception):
    """The stacks cannot be synthesised; the message is the CDK's."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file or folder (`zipped`) and where the template looks for it."""

    source: Path
    zipped: bool
    bucket: str
    key: str


@dataclass(frozen=True, slots=True)
class SynthesisedStack:
    """Name, template and assets of a stack."""

    name: str
    template: dict[str, Any]
    assets: tuple[Asset, ...]


def synthesise(target: Path = ASSEMBLY) -> Path:
    """Bring the assembly up to date: half a minute at first, no time after that.

    Raises:
        SynthesisFailed: see its message; the layers may not be built.
    """
    layers = (own_layer(_TARGET), dependencies_layer(_TARGET))
    # Folders of code are read where they are, so that only the definition of the stacks counts here.
    definition = [file for file in source_files(ROOT / "infra") if (ROOT / "infra" / "local") not in file.parents]
    key = fingerprint(*(str(layer) for layer in layers), files=[*definition, ROOT / "uv.lock"])
    built_once(target, key, _synthesise)
    return target


def stacks(assembly: Path) -> list[SynthesisedStack]:
    """The stacks of an assembly, each behind those that it depends on."""
    artifacts = json.loads((assembly / "manifest.json").read_text())["artifacts"]
    kinds = {name: artifact["type"] for name, artifact in artifacts.items()}
    ordered: list[str] = []

    def visit(name: str) -> None:
        if kinds.get(name) != "aws:cloudformation:stack" or name in ordered:
            return
        for needed in artifacts[name].get("dependencies", ()):
            visit(needed)
        ordered.append(name)

    for name in artifacts:
        visit(name)
    return [_stack(assembly, artifacts[name]["properties"]["templateFile"], name) for name in ordered]


def _stack(assembly: Path, template: str, name: str) -> SynthesisedStack:
    files = json.loads((assembly / f"{name}.assets.json").read_text())["files"].values()
    assets = [
        Asset(
            source=assembly / file["source"]["path"],
            zipped=file["source"]["packaging"] == "zip",
            bucket=destination["bucketName"],
            key=destination["objectKey"],
        )
        for file in files
        for destination in file["destinations"].values()
    ]
    return SynthesisedStack(name, json.loads((assembly / template).read_text()), tuple(assets))


def _synthesise(folder: Path) -> None:
    done = subprocess.run(
        module("infra.app", "env=local", f"out={folder}"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SynthesisFailed(done.stderr.strip())
