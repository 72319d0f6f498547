"""Child processes that never outlive us, each with its own children in a group."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_SECONDS_BETWEEN_LOOKS = 0.03


class StartFailed(Exception):
    """A process ended or did not answer in time; the message names its log."""


def free_port() -> int:
    """A TCP port that nobody on this machine listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def somebody_listens(port: int) -> bool:
    """Whether a connection to this port of this machine is accepted."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Child:
    """A process in a group of its own, its output in a file."""

    def __init__(
        self, name: str, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], log: Path
    ) -> None:
        self._name, self._log = name, log
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until(self, answers: Callable[[], bool], *, seconds: float) -> None:
        """Wait until `answers` is true.

        Raises:
            StartFailed: the process ended before, or the time did.
        """
        deadline = time.monotonic() + seconds
        while not answers():
            if self._process.poll() is not None:
                raise StartFailed(f"The {self._name} ended with code {self._process.returncode}; see {self._log}.")
            if time.monotonic() > deadline:
                raise StartFailed(f"The {self._name} did not answer within {seconds:.0f} seconds; see {self._log}.")
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def stop(self, *, seconds: float) -> None:
        """Ask it to end, wait for so long, then end whatever is left of its group."""
        if self.alive:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
