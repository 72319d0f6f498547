"""`python -m infra.environments`: the names of all environments, one a line."""

from __future__ import annotations

import sys

from infra.environments import ENVIRONMENTS

if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name in ENVIRONMENTS)
