"""Where things stand in the repository and in `build/`."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
VOCABULARY = BUILD / "tiktoken"
OWN_SOURCE = ROOT / "layers" / "context_memory" / "python"
EMULATOR_PYTHON = ROOT / ".cache" / "emulator" / "bin" / "python"


def dependencies_layer(target: str) -> Path:
    """Folder of the third-party layer for `host` or `aws`."""
    return BUILD / "layers" / target / "dependencies"


def own_layer(target: str) -> Path:
    """Folder of the layer with our own code for `host` or `aws`."""
    return BUILD / "layers" / target / "context_memory"
