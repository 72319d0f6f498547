"""Runs the uv of the project's environment."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

from infra.layers.places import ROOT


class UvError(Exception):
    """uv failed; the message is its own."""


def uv(*arguments: str) -> str:
    """Run uv in the repository and return what it printed.

    Raises:
        UvError: it exited with another code than 0.
    """
    program = Path(sysconfig.get_path("scripts")) / "uv"
    # Not the environment that happens to be active: every call names the interpreter it is for.
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    environment["UV_SYSTEM_CERTS"] = "1"  # as set-up does
    done = subprocess.run(  # noqa: S603 - our own program, arguments from this package
        [program, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UvError(f"uv {' '.join(arguments[:2])} failed:\n{done.stderr.strip()}")
    return done.stdout
