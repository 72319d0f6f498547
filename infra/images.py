"""What the image of the function `lance` is built from: its Dockerfile, its handler, our package, pinned requirements.

Synthesis only gathers these files and names them by what they hold. Docker is asked by whoever deploys.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from infra.layers.cache import built_once, fingerprint, source_files
from infra.layers.places import OWN_SOURCE, ROOT
from infra.layers.uv import uv

if TYPE_CHECKING:
    from pathlib import Path

LANCE_FOLDER = ROOT / "functions" / "lance"
_CONTEXT = ROOT / "build" / "images" / "lance"
_OURS = "context_memory"
_NOT_SOURCE = shutil.ignore_patterns("__pycache__")


def lance_context(target: Path = _CONTEXT) -> Path:
    """Bring the folder up to date from which Docker builds the image.

    Raises:
        UvError: the lock file cannot be read.
    """
    requirements = uv("export", "--frozen", "--only-group", "image", "--no-emit-project", "--no-header", "--quiet")
    files = [*source_files(OWN_SOURCE), *source_files(LANCE_FOLDER)]

    def fill(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "requirements.txt").write_text(requirements)
        for name in ("Dockerfile", "handler.py"):
            shutil.copy(LANCE_FOLDER / name, folder)
        shutil.copytree(OWN_SOURCE / _OURS, folder / _OURS, ignore=_NOT_SOURCE)

    built_once(target, fingerprint(requirements, files=files), fill)
    return target
