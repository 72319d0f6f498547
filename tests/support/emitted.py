"""Which metrics the sources count, read from the sources."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "layers" / "context_memory" / "python", ROOT / "functions")


@dataclass(frozen=True, slots=True)
class Emission:
    """One call of `count`: `dimensions` holds the value where it is a literal, None where it is computed."""

    metric: str
    dimensions: Mapping[str, str | None]
    place: str


def emissions() -> Iterator[Emission]:
    """Every `…telemetry.count("name", …, dimension=…)`, and `count_all({"name": …}, …)`, of the run-time code.

    Raises:
        AssertionError: one whose name is no literal, so that nobody could tell which metric it is.
    """
    for folder in SOURCES:
        for file in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and _counts(node.func):
                    yield from _emissions(node, f"{file.relative_to(ROOT)}:{node.lineno}")


def _counts(called: ast.expr) -> bool:
    if not isinstance(called, ast.Attribute) or called.attr not in {"count", "count_all"}:
        return False
    return "telemetry" in ast.unparse(called.value)


def _emissions(node: ast.Call, place: str) -> Iterator[Emission]:
    first = node.args[0]
    names = first.keys if isinstance(first, ast.Dict) else [first]
    dimensions = {
        one.arg: str(one.value.value) if isinstance(one.value, ast.Constant) else None
        for one in node.keywords
        if one.arg is not None
    }
    for name in names:
        assert isinstance(name, ast.Constant), place
        assert isinstance(name.value, str), place
        yield Emission(name.value, dimensions, place)
