"""JSON lines: a fact on each, as a text or as an object. Blank lines bring nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Never

from context_memory.domain.facts.admitting import Unfit
from context_memory.domain.facts.files.lines import Line, bounded, entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.admitting import Written


def json_lines(text: str, field: str) -> Sequence[Line]:
    """The facts of a file; only line feeds end a line, for JSON may hold every other sign that looks like one.

    Raises:
        InvalidInput: too many.
    """
    numbered = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    return bounded([Line(number, _read(line)) for number, line in numbered if line.strip()], field)


def _read(line: str) -> Written | Unfit:
    try:
        return entry(_value(line))
    except (ValueError, RecursionError):
        return Unfit.UNREADABLE


def _value(line: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    return json.loads(line, parse_constant=_no_number)


def _no_number(_constant: str) -> Never:
    raise ValueError("no JSON")
