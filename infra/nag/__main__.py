"""`python -m infra.nag [ENVIRONMENT …]`: say what cdk-nag finds and nobody has acknowledged, in all environments.

It needs no layers. The exit code is 1 when there is anything, 2 when there is no such environment.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from infra.environments import ENVIRONMENTS, missing
from infra.layers.places import ROOT
from infra.node import node_variables

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(names: Sequence[str]) -> int:
    """Look at the environments named, or at all of them; returns the exit code."""
    # Importing the CDK starts Node, so that this has to come before.
    os.environ.update(node_variables())
    from aws_cdk import App  # noqa: PLC0415 - see above

    from infra.nag.checks import findings, guard  # noqa: PLC0415 - see above
    from infra.stacks.service import CodeFolders  # noqa: PLC0415 - see above
    from infra.synthesis import add_stacks  # noqa: PLC0415 - see above

    # The rules look at definitions: any folder may stand for code, and none is copied.
    functions = ROOT / "functions"
    code = CodeFolders(functions=functions, own_layer=functions, dependencies_layer=functions)
    if unknown := [name for name in names if name not in ENVIRONMENTS]:
        sys.stderr.write(f"nag: {missing(unknown[0])}\n")
        return 2
    failed = 0
    for name in names or sorted(ENVIRONMENTS):
        app = App(context={"aws:cdk:disable-asset-staging": True})
        stacks = add_stacks(app, ENVIRONMENTS[name], code)
        guard(app, stacks, ENVIRONMENTS[name])
        found = sorted(findings(stacks))
        sys.stdout.writelines(f"{name}: {finding.at}: {finding.rule}\n" for finding in found)
        sys.stdout.write(f"{name}: {len(found)} unexplained\n")
        failed |= bool(found)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
