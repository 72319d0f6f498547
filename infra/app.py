"""The CDK app. `python -m infra.app env=local out=DIR`, or through the CDK's command line with `-c env=dev`.

Settings are `key=value` arguments: `env` (an environment's name), `out` (folder of the assembly, default `cdk.out`).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from infra.environments import ENVIRONMENTS
from infra.environments.parts import Architecture
from infra.layers.places import ROOT, dependencies_layer, own_layer
from infra.node import node_variables

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_ENVIRONMENT = "dev"


def main(arguments: Sequence[str]) -> int:
    """Synthesise one environment; returns the exit code."""
    settings = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    # Importing the CDK starts Node, so that this has to come before.
    os.environ.update(node_variables())
    from aws_cdk import App  # noqa: PLC0415 - see above

    from infra.stacks.service import CodeFolders  # noqa: PLC0415 - see above
    from infra.synthesis import add_stacks  # noqa: PLC0415 - see above

    # The CDK's command line says where; without it the CDK would take a temporary folder.
    app = App(outdir=settings.get("out") or os.environ.get("CDK_OUTDIR") or "cdk.out")
    name = settings.get("env") or app.node.try_get_context("env") or DEFAULT_ENVIRONMENT
    if name not in ENVIRONMENTS:
        return _fail(f"there is no environment {name!r}; there are {', '.join(sorted(ENVIRONMENTS))}")
    environment = ENVIRONMENTS[name]
    target = "host" if environment.architecture is Architecture.HOST else "aws"
    code = CodeFolders(
        functions=ROOT / "functions", own_layer=own_layer(target), dependencies_layer=dependencies_layer(target)
    )
    if not (code.own_layer.is_dir() and code.dependencies_layer.is_dir()):
        return _fail(f"the layers are not built: run `python -m infra.layers {target}`")
    if target == "host":
        # Nothing is packed for this machine: the local environment reads the folders where they are.
        app.node.set_context("aws:cdk:disable-asset-staging", value=True)
    add_stacks(app, environment, code)
    app.synth()
    return 0


def _fail(sentence: str) -> int:
    sys.stderr.write(f"infra.app: {sentence}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
