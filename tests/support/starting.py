"""A function started in a fresh process of its own, as Lambda starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infra.local.coldstart.__main__ import local_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

_FUNCTIONS = Path(__file__).parents[2] / "functions"


def start(function: str, variables: Mapping[str, str], printed: str) -> subprocess.CompletedProcess[str]:
    """Import the handler and print an expression's value.

    The process then ends as Lambda's do, without tidying up behind threads that still ask AWS for something.
    """
    path = [str(_FUNCTIONS / function), *sys.path]
    program = (
        f"import gc, json, os, sys; sys.path[:] = {path!r}\nimport handler\nprint({printed}, flush=True)\nos._exit(0)"
    )
    return subprocess.run(  # noqa: S603 - the program above
        [sys.executable, "-c", program], env=dict(variables), capture_output=True, text=True, check=False
    )


def imported_by(function: str, no_outputs: Path) -> set[str]:
    """The modules that a start imports; `no_outputs` is a folder without those of a running environment."""
    done = start(function, local_variables(function, no_outputs), "json.dumps(sorted(sys.modules))")
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))
