"""The CDK app. `python -m infra.app env=local out=DIR`, or through the CDK's command line with `-c env=dev`.

Settings are `key=value` arguments: `env` (an environment's name), `out` (folder of the assembly, default `cdk.out`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from infra.layers.places import ROOT, dependencies_layer, own_layer
from infra.limits import too_large
from infra.node import node_variables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from aws_cdk import App
    from aws_cdk.cx_api import CloudAssembly

    from infra.environments import Environment

DEFAULT_ENVIRONMENT = "dev"
_SETTINGS = frozenset({"env", "out"})


class NotSynthesised(Exception):
    """The stacks cannot be made; the message says what to do."""


def main(arguments: Sequence[str]) -> int:
    """Synthesise one environment; returns the exit code."""
    try:
        _synthesise(_settings(arguments))
    except NotSynthesised as error:
        sys.stderr.write(f"infra.app: {error}\n")
        return 1
    return 0


def _settings(arguments: Sequence[str]) -> Mapping[str, str]:
    pairs = [argument.partition("=") for argument in arguments]
    if unknown := [key for key, _, value in pairs if key not in _SETTINGS or not value]:
        raise NotSynthesised(f"what is {unknown[0]!r}? Say env=NAME or out=FOLDER")
    return {key: value for key, _, value in pairs}


def _synthesise(settings: Mapping[str, str]) -> None:
    # Importing the CDK starts Node, so that this has to come before.
    os.environ.update(node_variables())
    from aws_cdk import App  # noqa: PLC0415 - see above

    # The CDK's command line says where; without it the CDK would take a temporary folder.
    app = App(outdir=settings.get("out") or os.environ.get("CDK_OUTDIR") or "cdk.out")
    environment = _environment(settings.get("env") or app.node.try_get_context("env") or DEFAULT_ENVIRONMENT)
    from infra.nag.checks import guard  # noqa: PLC0415 - loads the environments, which may be broken
    from infra.stacks.service import CodeFolders  # noqa: PLC0415 - likewise
    from infra.synthesis import add_stacks  # noqa: PLC0415 - likewise

    target = environment.architecture.layers
    code = CodeFolders(
        functions=ROOT / "functions", own_layer=own_layer(target), dependencies_layer=dependencies_layer(target)
    )
    check_built(code.own_layer, code.dependencies_layer, target=target)
    if target == "host":
        # Nothing is packed for this machine: the local environment reads the folders where they are.
        app.node.set_context("aws:cdk:disable-asset-staging", value=True)
    guard(app, add_stacks(app, environment, code), environment)
    refused = [sentence for stack in assembly(app).stacks for sentence in too_large(stack.template)]
    if refused:
        raise NotSynthesised("; ".join(refused))


def assembly(app: App) -> CloudAssembly:
    """Synthesise a guarded app.

    Raises:
        NotSynthesised: cdk-nag found something; what it is was written to the screen.
    """
    try:
        return app.synth()
    except RuntimeError as error:
        # The findings stand on the screen already; a trace of the CDK's own code would hide them.
        if "ValidationFailed" not in str(error):
            raise
        raise NotSynthesised(
            "cdk-nag found what nobody has acknowledged, see above: mend it, or say in infra/nag/acknowledged.py why it"
            " may stay"
        ) from error


def check_built(*layers: Path, target: str) -> None:
    """Look whether the layers of a target are there.

    Raises:
        NotSynthesised: one is not; says how to build them.
    """
    if not all(layer.is_dir() for layer in layers):
        raise NotSynthesised(f"the layers are not built: run `.venv/bin/python -m infra.layers {target}`")


def _environment(name: str) -> Environment:
    try:
        from infra.environments import ENVIRONMENTS, missing  # noqa: PLC0415 - loads what somebody wrote
    except ValueError as error:  # a BrokenEnvironment, whose class is not there yet
        raise NotSynthesised(str(error)) from error
    if name not in ENVIRONMENTS:
        raise NotSynthesised(missing(name))
    return ENVIRONMENTS[name]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
