"""Runs the issuer beside the emulator, which asks it for its key."""

from __future__ import annotations

import os
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

from infra.local.issuer.server import DISCOVERY
from infra.local.paths import ROOT, module
from infra.local.processes import Child, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY_FILE = "issuer-key.pem"
_START_SECONDS = 30
_STOP_SECONDS = 5


@contextmanager
def issuer(folder: Path) -> Iterator[str]:
    """Run an issuer with the folder's key; gives its address.

    Raises:
        StartFailed: it does not answer.
    """
    port = free_port()
    child = Child(
        "issuer",
        module("infra.local.tether", "infra.local.issuer", "--port", str(port), "--key", str(folder / KEY_FILE)),
        cwd=ROOT,
        environment=os.environ,
        log=folder / "issuer.log",
    )
    url = f"http://localhost:{port}"
    try:
        child.wait_until(lambda: _answers(url), seconds=_START_SECONDS)
        yield url
    finally:
        child.stop(seconds=_STOP_SECONDS)


def _answers(url: str) -> bool:
    try:
        urllib.request.urlopen(f"{url}{DISCOVERY}", timeout=2).close()  # noqa: S310 - our own server
    except OSError:
        return False
    return True
