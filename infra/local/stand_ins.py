"""Small servers that stand in for somebody else, each a process of its own beside the emulator."""

from __future__ import annotations

import os
import signal
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

from infra.local.paths import ROOT, module
from infra.local.processes import Child

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_START_SECONDS = 30
_STOP_SECONDS = 5


@contextmanager
def stand_in(name: str, *arguments: str, asked_at: str, log: Path) -> Iterator[None]:
    """Run `python -m` with `arguments`; inside, it answers at `asked_at`.

    Raises:
        StartFailed: it does not answer.
    """
    child = Child(name, module("infra.local.tether", *arguments), cwd=ROOT, environment=os.environ, log=log)
    try:
        child.wait_until(lambda: _answers(asked_at), seconds=_START_SECONDS)
        yield
    finally:
        child.stop(seconds=_STOP_SECONDS)


def told_to_stop() -> threading.Event:
    """Set once SIGINT or SIGTERM comes: what the main thread of a stand-in waits for."""
    stop = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: stop.set())
    return stop


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=2).close()  # noqa: S310 - our own server
    except urllib.error.HTTPError:
        return True  # it speaks HTTP: up, whatever it thinks of the question
    except OSError:
        return False
    return True
