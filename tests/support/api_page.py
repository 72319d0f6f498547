"""What `docs/api.md` shows of answers, and the names of an answer's fields."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


def fields_shown(route: str) -> set[str]:
    """Names of all fields in the first JSON of a route's section, at any depth."""
    return set(re.findall(r'"(\w+)":', PAGE.split(f"\n## `{route}`\n")[1].split("```")[1]))


def fields_of(value: Any) -> set[str]:  # noqa: ANN401 - JSON
    """Names of all fields of an answer, at any depth."""
    if isinstance(value, list):
        return {name for entry in value for name in fields_of(entry)}
    if isinstance(value, dict):
        return set(value) | {name for entry in value.values() for name in fields_of(entry)}
    return set()
