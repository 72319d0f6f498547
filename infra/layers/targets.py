"""For which machine a layer is built."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from infra.layers.places import EMULATOR_PYTHON
from infra.layers.uv import uv

RUNTIME_VERSION = "3.13"


class BuildError(Exception):
    """A layer cannot be built; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Target:
    """Machine and interpreter: `platform` is uv's name of a foreign one, None this one."""

    name: str
    python: Path
    version: str
    platform: str | None


def host() -> Target:
    """This machine and the emulator's interpreter, on which local Lambdas run.

    Raises:
        BuildError: the emulator's environment is not there.
    """
    if not EMULATOR_PYTHON.exists():
        raise BuildError("The emulator's environment is missing: run `make setup`.")
    version = _ask(EMULATOR_PYTHON, "import sys; print('%d.%d' % sys.version_info[:2])")
    return Target("host", EMULATOR_PYTHON, version, platform=None)


def aws() -> Target:
    """Lambda on arm64. Byte code is bound to a minor version, so an interpreter of exactly that one compiles.

    Raises:
        UvError: uv neither finds nor fetches such an interpreter.
    """
    python = Path(uv("python", "find", RUNTIME_VERSION).strip())
    return Target("aws", python, RUNTIME_VERSION, platform="aarch64-manylinux_2_28")


def _ask(python: Path, code: str) -> str:
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - the interpreter of our own environment
