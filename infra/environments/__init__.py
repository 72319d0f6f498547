"""One typed file per environment; what differs between them stands there and nowhere else.

A file `<name>.py` in this folder that holds `ENVIRONMENT` is an environment: nothing else has to be told of it.
"""

from __future__ import annotations

import importlib
import pkgutil

from infra.environments.dev import ENVIRONMENT as DEV
from infra.environments.local import ENVIRONMENT as LOCAL
from infra.environments.model import Environment

_NO_ENVIRONMENTS = frozenset({"model", "parts"})


def _found() -> dict[str, Environment]:
    found: dict[str, Environment] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name in _NO_ENVIRONMENTS:
            continue
        environment = getattr(importlib.import_module(f"{__name__}.{module.name}"), "ENVIRONMENT", None)
        if not isinstance(environment, Environment) or environment.name != module.name:
            raise TypeError(f"infra/environments/{module.name}.py must hold ENVIRONMENT, named {module.name!r}")
        found[module.name] = environment
    return found


ENVIRONMENTS = _found()

__all__ = ["DEV", "ENVIRONMENTS", "LOCAL", "Environment"]
