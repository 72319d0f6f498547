"""Starts and stops the emulator."""

from __future__ import annotations

import shutil
import tempfile
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infra.local.paths import EMULATOR_PYTHON, ROOT
from infra.local.processes import Child, StartFailed, somebody_listens

if TYPE_CHECKING:
    from collections.abc import Iterator

REGION = "us-east-1"
ACCOUNT = "000000000000"
_START_SECONDS = 60
_STOP_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Emulator:
    """A running emulator; `unpacked_layers` is where its functions look for layers by the archive's SHA-256."""

    process: Child
    unpacked_layers: Path


@contextmanager
def emulator(port: int, *, state: Path | None, log: Path) -> Iterator[Emulator]:
    """Run the emulator on 127.0.0.1 with IAM decided for every call; `state` keeps its data from run to run.

    State is written when it stops cleanly (objects at once): leaving this context does.

    Raises:
        StartFailed: its environment is missing, or it does not answer.
    """
    if not EMULATOR_PYTHON.exists():
        raise StartFailed("The emulator's environment is missing: run `make setup`.")
    if somebody_listens(port):  # or we would take the answers of another emulator for ours
        raise StartFailed(f"Port {port} is taken: choose another with --port (0 takes a free one).")
    scratch = Path(tempfile.mkdtemp(prefix="context-memory-local-"))  # it leaves work folders of functions behind
    layers = scratch / "layers"
    layers.mkdir()
    child = Child(
        "emulator",
        [str(EMULATOR_PYTHON), "-m", "infra.local.emulator"],
        cwd=ROOT,
        environment={**_clean_environment(port, scratch, state), "MINISTACK_UNPACKED_LAYERS": str(layers)},
        log=log,
    )
    try:
        child.wait_until(lambda: _answers(port), seconds=_START_SECONDS)
        yield Emulator(child, layers)
    finally:
        child.stop(seconds=_STOP_SECONDS)
        shutil.rmtree(scratch, ignore_errors=True)


def _clean_environment(port: int, scratch: Path, state: Path | None) -> dict[str, str]:
    """Nothing of ours: every function inherits it, and would see our keys, proxies and paths."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",  # functions share their layers, which stay as they were built
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "MINISTACK_ACCOUNT_ID": ACCOUNT,
        "AUTH": "true",
        "MINISTACK_ASSUME_TLS": "1",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "INFO",
    }
    if state:
        environment |= {
            "PERSIST_STATE": "1",
            "STATE_DIR": str(state.resolve() / "state"),
            "S3_PERSIST": "1",
            "S3_DATA_DIR": str(state.resolve() / "s3"),
        }
    return environment


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_ministack/health", timeout=2) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - OK
    except (OSError, urllib.error.URLError):
        return False
