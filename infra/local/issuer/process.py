"""Runs the issuer beside the emulator, which asks it for its key."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from infra.local.issuer.server import DISCOVERY
from infra.local.processes import free_port
from infra.local.stand_ins import stand_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

KEY_FILE = "issuer-key.pem"


@contextmanager
def issuer(folder: Path, redirects: Iterable[str] = ()) -> Iterator[str]:
    """Run an issuer with the folder's key, which sends users back to `redirects` alone; gives its address.

    Raises:
        StartFailed: it does not answer.
    """
    port = free_port()
    url = f"http://localhost:{port}"
    back = [part for redirect in redirects for part in ("--redirect", redirect)]
    arguments = ("infra.local.issuer", "--port", str(port), "--key", str(folder / KEY_FILE), *back)
    with stand_in("issuer", *arguments, asked_at=f"{url}{DISCOVERY}", log=folder / "issuer.log"):
        yield url
