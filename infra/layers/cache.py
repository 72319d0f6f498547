"""Builds a folder once per content: nothing is built twice, and half a build is never taken for one."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


def fingerprint(*texts: str, files: Iterable[Path] = ()) -> str:
    """Hash of texts and of names and contents of files, as 64 hex digits."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    for file in sorted(files):
        digest.update(hashlib.sha256(str(file).encode()).digest())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def source_files(folder: Path) -> list[Path]:
    """Files below `folder` that somebody wrote; no byte code, nothing hidden."""
    return [
        file
        for file in folder.rglob("*")
        if file.is_file()
        and "__pycache__" not in file.parts
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    ]


def key_of(folder: Path) -> Path:
    """The file that says what `folder` was built from."""
    return folder.with_name(f"{folder.name}.key")


def built_once(folder: Path, key: str, build: Callable[[Path], None]) -> bool:
    """Let `build` fill an empty folder unless `folder` was built from `key` before.

    The folder appears whole or not at all, and of two processes at once one waits for the other.

    Returns:
        Whether it was built now.
    """
    with _locked(folder):
        stamp = key_of(folder)
        if folder.is_dir() and stamp.is_file() and stamp.read_text() == key:
            return False
        fresh = folder.with_name(f"{folder.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        build(fresh)
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
        stamp.write_text(key)
        return True


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
