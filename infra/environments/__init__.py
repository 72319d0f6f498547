"""One typed file per environment; what differs between them stands there and nowhere else.

A file `<name>.py` in this folder that holds `ENVIRONMENT` is an environment: nothing else has to be told of it.
"""

from __future__ import annotations

from infra.environments.finding import BrokenEnvironment, found
from infra.environments.model import Environment

ENVIRONMENTS = found(__path__, __name__)
DEV, LOCAL = ENVIRONMENTS["dev"], ENVIRONMENTS["local"]


def missing(name: str) -> str:
    """What to tell somebody who asked for an environment that there is not."""
    return (
        f"there is no environment {name!r}; there are {', '.join(ENVIRONMENTS)}"
        " (a new one is a file of its name in infra/environments)"
    )


__all__ = ["DEV", "ENVIRONMENTS", "LOCAL", "BrokenEnvironment", "Environment", "missing"]
