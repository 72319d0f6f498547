"""Where the local environment keeps things, and how it runs our own modules."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUTS = ROOT / ".local"
ASSEMBLY = ROOT / "build" / "assembly" / "local"
EMULATOR_PYTHON = ROOT / ".cache" / "emulator" / "bin" / "python"


def module(name: str, *arguments: str) -> list[str]:
    """Command that runs a module of ours on this interpreter, with the repository as working directory."""
    return [sys.executable, "-m", name, *arguments]
