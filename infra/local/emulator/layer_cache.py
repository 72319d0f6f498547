"""Unpacks each layer once: all workers of all functions read the same folder.

The emulator unpacks both layers, thousands of files, anew for each worker it starts; Lambda does it before the clock
starts. As on Lambda, nothing may write there.
"""

from __future__ import annotations

import hashlib
import threading
import types
import zipfile
from pathlib import Path
from typing import Any

_lock = threading.Lock()


def install(runtime: Any, unpacked: Path) -> None:
    """Let the module that starts workers share layers in `unpacked`, in folders named by the archive's SHA-256.

    Whoever deploys may put a folder there beforehand, or a link to the one that the archive was made from.
    """

    class SharedLayers(zipfile.ZipFile):
        def extractall(self, path: Any = None, members: Any = None, pwd: bytes | None = None) -> None:
            target = Path(path or ".")
            if not (target.name.startswith("layer_") and self.filename):
                super().extractall(path, members, pwd)
                return
            archive = Path(self.filename)
            shared = unpacked / hashlib.sha256(archive.read_bytes()).hexdigest()
            with _lock:
                if not shared.is_dir():
                    fresh = shared.with_suffix(".new")
                    super().extractall(fresh)
                    fresh.rename(shared)
            archive.unlink()  # the worker's own copy
            target.rmdir()
            target.symlink_to(shared, target_is_directory=True)

    patched = types.SimpleNamespace(**vars(zipfile))
    patched.ZipFile = SharedLayers
    runtime.zipfile = patched
