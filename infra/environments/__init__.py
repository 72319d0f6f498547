"""One typed file per environment; what differs between them stands there and nowhere else."""

from __future__ import annotations

from infra.environments.dev import DEV
from infra.environments.local import LOCAL
from infra.environments.model import Environment

ENVIRONMENTS = {environment.name: environment for environment in (LOCAL, DEV)}

__all__ = ["DEV", "ENVIRONMENTS", "LOCAL", "Environment"]
