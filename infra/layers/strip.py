"""Takes out of installed packages what no function ever reads: it would only cost time at each cold start."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from infra.layers.aws_models import cut_models

if TYPE_CHECKING:
    from pathlib import Path

# importlib.metadata reads these.
_KEPT_METADATA = frozenset({"METADATA", "entry_points.txt", "top_level.txt", "licenses"})
_LICENCES = ("LICEN[CS]E*", "NOTICE*", "COPYING*", "AUTHORS*")  # they ask to go wherever the code goes
_UNREAD_FOLDERS = frozenset({"__pycache__", "tests", "testing"})
_UNREAD_SUFFIXES = frozenset({".pyi", ".pyx", ".pxd", ".c", ".h"})
_TYPED = "py.typed"


def strip(packages: Path) -> None:
    """Strip a folder that `uv pip install --target` filled."""
    shutil.rmtree(packages / "bin", ignore_errors=True)
    (packages / ".lock").unlink(missing_ok=True)  # the installer's own
    if (models := packages / "botocore" / "data").is_dir():
        cut_models(models)
    for metadata in packages.glob("*.dist-info"):
        _keep(metadata, _KEPT_METADATA | {file.name for licence in _LICENCES for file in metadata.glob(licence)})
    for folder in [found for found in packages.rglob("*") if found.is_dir() and found.name in _UNREAD_FOLDERS]:
        shutil.rmtree(folder, ignore_errors=True)
    for file in packages.rglob("*"):
        if (file.suffix in _UNREAD_SUFFIXES or file.name == _TYPED) and file.is_file():
            file.unlink()


def _keep(folder: Path, names: frozenset[str]) -> None:
    for entry in folder.iterdir():
        if entry.name in names:
            continue
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
