"""`python -m infra.costs`: the table of docs/deploying.md."""

from __future__ import annotations

import sys

from infra.costs.table import table

if __name__ == "__main__":
    sys.stdout.write(table())
