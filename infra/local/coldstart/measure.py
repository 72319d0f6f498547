"""Starts a function again and again and says how long each start took."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infra.layers.places import ROOT, dependencies_layer, own_layer
from infra.local.coldstart.runtime_api import RuntimeApi

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# AWS's runtime client and what it needs; in Lambda they lie beside the interpreter.
_RUNTIME_PACKAGES = ("awslambdaric", "runtime_client", "simplejson", "snapshot_restore_py")
_HANDLER = "handler.handler"
_START_SECONDS = 60


class StartTooSlow(Exception):
    """A function neither answered nor failed in time; the message holds what it wrote."""


@dataclass(frozen=True, slots=True)
class Start:
    """One start: seconds from the process to its first question for work, and from there to its answer.

    `kind` is `response` or `error` (then `body` says which); a function that could not even start has `first` 0.
    """

    init: float
    first: float
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Startable:
    """A folder with a `handler.py`, the folders of packages that it sees, and its environment variables."""

    code: Path
    packages: Sequence[Path]
    variables: Mapping[str, str]


def measure(function: str, *, event: bytes, variables: Mapping[str, str], samples: int) -> list[Start]:
    """Start a function `samples` times; one start more, before, warms the file cache and does not count.

    Raises:
        StartTooSlow: see there.
    """
    return in_turns([of_function(function, variables)], event=event, samples=samples)[0]


def of_function(function: str, variables: Mapping[str, str]) -> Startable:
    """One of our functions with its two layers."""
    packages = (own_layer("host") / "python", dependencies_layer("host") / "python")
    return Startable(ROOT / "functions" / function, packages, variables)


def in_turns(startables: Sequence[Startable], *, event: bytes, samples: int) -> list[list[Start]]:
    """Start several in turns, so that whatever else the machine does meets all of them alike.

    Raises:
        StartTooSlow: see there.
    """
    with _runtime_packages() as runtime:
        rounds = [[_start(one, runtime, event) for one in startables] for _ in range(samples + 1)]
    return [list(starts) for starts in zip(*rounds[1:], strict=True)]


def _start(startable: Startable, runtime: Path, event: bytes) -> Start:
    code = startable.code
    path = [str(folder) for folder in (code, *startable.packages, runtime)]
    boot = f"import sys; sys.path[:0] = {path!r}; from awslambdaric.__main__ import main; main(['', {_HANDLER!r}])"
    with RuntimeApi(event) as api:
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": tempfile.gettempdir(),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "AWS_LAMBDA_RUNTIME_API": api.address,
            "AWS_LAMBDA_FUNCTION_NAME": code.name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
            "AWS_LAMBDA_LOG_GROUP_NAME": "measured",
            "AWS_LAMBDA_LOG_STREAM_NAME": "measured",
            "LAMBDA_TASK_ROOT": str(code),
            "_HANDLER": _HANDLER,
            **startable.variables,
        }
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", boot],
            env=environment,
            cwd=code,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        answered = api.invocation.done.wait(_START_SECONDS)
        process.kill()
        output, _ = process.communicate()
    found = api.invocation
    if not answered:
        raise StartTooSlow(f"{code.name}: no answer within {_START_SECONDS} seconds.\n{output.decode()[-2000:]}")
    started = found.asked or found.answered
    return Start(started - began, found.answered - started, found.kind, found.body.decode(errors="replace"))


@contextmanager
def _runtime_packages() -> Iterator[Path]:
    """A folder in which AWS's runtime client lies, and no other package of our environment."""
    with tempfile.TemporaryDirectory(prefix="context-memory-runtime-") as folder:
        for name in _RUNTIME_PACKAGES:
            spec = importlib.util.find_spec(name)
            if spec is None or spec.origin is None:
                continue
            origin = Path(spec.origin)
            source = origin.parent if spec.submodule_search_locations else origin
            (Path(folder) / source.name).symlink_to(source)
        yield Path(folder)
