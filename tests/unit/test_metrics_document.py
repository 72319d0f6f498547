"""`docs/metrics.md` is made from the registry of metrics; run this file with `GOLDEN=write` to make it anew."""

from __future__ import annotations

import os
from pathlib import Path

from context_memory.contracts.metrics import ANY, METRICS, Metric, Unit

DOCUMENT = Path(__file__).parents[2] / "docs" / "metrics.md"
HEAD = """# Metrics

What the functions count, as lines in CloudWatch's embedded metric format.
Each environment has a namespace of its own, `ContextMemory/<environment>`.
Each metric has the dimension `service`, the function that counted it; where it is always `all`, the table says so.
The other dimensions and their values are closed: no metric carries an id, a name or a word of a user.
A share is the average of a metric whose every count is 0 or 1.
This page is generated; a test fails when it is stale.
"""
UNITS = {Unit.SECONDS: "seconds", Unit.COUNT: "count", Unit.SHARE: "share"}
MANY = 12


def written() -> str:
    rows = "\n".join(_row(metric) for metric in METRICS.values())
    tables = [
        f"## Values of `{name}`\n\n{', '.join(f'`{value}`' for value in sorted(values))}"
        for name, values in sorted(_long_lists().items())
    ]
    table = f"| metric | unit | dimensions | answers | counted by |\n|---|---|---|---|---|\n{rows}"
    return "\n\n".join([HEAD.rstrip("\n"), table, *tables]) + "\n"


def _row(metric: Metric) -> str:
    dimensions = [_dimension(name, values) for name, values in metric.dimensions.items()]
    dimensions += ["`service`: `all`"] if metric.whole else []
    services = ", ".join(metric.services)
    return f"| `{metric.name}` | {UNITS[metric.unit]} | {'; '.join(dimensions)} | {metric.question} | {services} |"


def _dimension(name: str, values: frozenset[str]) -> str:
    if values is ANY:
        return f"`{name}`: as configured"
    if len(values) > MANY:
        return f"`{name}`: see below"
    return f"`{name}`: {', '.join(f'`{value}`' for value in sorted(values))}"


def _long_lists() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for metric in METRICS.values():
        for name, values in metric.dimensions.items():
            if len(values) > MANY:
                assert found.setdefault(name, values) == values, f"two long lists are called {name}"
    return found


def test_the_page_of_metrics_is_not_stale() -> None:
    if os.environ.get("GOLDEN") == "write":
        DOCUMENT.write_text(written())
    assert DOCUMENT.read_text() == written()
