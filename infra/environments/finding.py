"""Finds the environments' files, and says which of them is broken."""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from infra.environments.model import Environment

if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_ENVIRONMENTS = frozenset({"__main__", "finding", "model", "parts"})


class BrokenEnvironment(ValueError):
    """A file of an environment cannot be used; the message names the file and what is wrong with it."""


def found(folders: Iterable[str], package: str) -> dict[str, Environment]:
    """Every environment of a package, by name.

    Raises:
        BrokenEnvironment: a file does not load, holds a value that is refused, or is named unlike its environment.
    """
    modules = [module.name for module in pkgutil.iter_modules(folders) if module.name not in _NO_ENVIRONMENTS]
    return {name: _environment(name, package) for name in sorted(modules)}


def _environment(name: str, package: str) -> Environment:
    file = f"{package.replace('.', '/')}/{name}.py"
    try:
        environment = getattr(importlib.import_module(f"{package}.{name}"), "ENVIRONMENT", None)
    # The file is whatever somebody wrote: an unknown key is a TypeError, a refused value a ValueError, a slip anything.
    except Exception as error:
        raise BrokenEnvironment(f"{file}{_line(name, error)}: {error}") from error
    if not isinstance(environment, Environment):
        raise BrokenEnvironment(f"{file} must hold ENVIRONMENT, an Environment")
    if environment.name != name:
        raise BrokenEnvironment(f"{file} must hold an environment of its own name, and holds {environment.name!r}")
    return environment


def _line(name: str, error: Exception) -> str:
    """Where in its file an environment went wrong, for errors that do not say which value they are about."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).stem == name]
    return f", line {lines[-1]}" if lines else ""
