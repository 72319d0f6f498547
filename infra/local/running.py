"""Who runs the local environment of an outputs folder: a lock that ends with its process, however that ends."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from infra.local.outputs import FILE_NAME, Outputs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOCK = "running.lock"
_SECONDS_BETWEEN_LOOKS = 0.1


class AlreadyRunning(Exception):
    """Another process runs the environment of this folder."""


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Hold the folder.

    Raises:
        AlreadyRunning: somebody else does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyRunning(f"The environment of {folder} runs already (process {holder(folder)}).") from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        (folder / FILE_NAME).unlink(missing_ok=True)  # of a run that was killed
        yield


def holder(folder: Path) -> int | None:
    """Process id of whoever holds the folder, None when nobody does."""
    try:
        with (folder / _LOCK).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(lock.read() or 0) or None
    except FileNotFoundError:
        return None
    return None


def outputs_of(folder: Path) -> Outputs | None:
    """Outputs of the environment that runs with this folder, None when there is none, or not yet."""
    if holder(folder) is None:
        return None
    try:
        return Outputs.read(folder)
    except FileNotFoundError:
        return None


def stop(folder: Path, *, seconds: float) -> bool:
    """Ask whoever holds the folder to end, and wait for it; returns whether nobody holds it any more."""
    deadline = time.monotonic() + seconds
    process = holder(folder)
    if process is not None:
        os.kill(process, signal.SIGTERM)
    while holder(folder) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    return True
