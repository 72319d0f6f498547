"""Ties a process to the one that started it: nobody is left behind when that one is killed.

`python -m infra.local.tether MODULE ARGUMENT…` runs a module so.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

_SECONDS_BETWEEN_LOOKS = 0.5


def stop_with_parent() -> None:
    """Let this process end, as if it were asked to, soon after its parent is gone."""
    parent = os.getppid()
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="tether").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    stop_with_parent()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
