"""What Pydantic complains of, said as the rest of this API says it: what is expected, and never what was sent.

Bodies that are read without Pydantic (contracts/fields.py) use the same sentences; a test holds both together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

_SENTENCES: Mapping[str, str] = {
    "missing": "must be given",
    "extra_forbidden": "is not a field of this request",
    "string_type": "must be a text",
    "string_unicode": "must be a text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of a usual size",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "set_type": "must be a list",
    "frozen_set_type": "must be a list",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "timezone_aware": "must be a moment with its time zone",
    "datetime_type": "must be a moment with its time zone",
    "datetime_parsing": "must be a moment with its time zone",
    "datetime_from_date_parsing": "must be a moment with its time zone",
    "datetime_object_invalid": "must be a moment with its time zone",
}
_NO_OBJECT = "must be a JSON object"
_QUOTED = re.compile(r"'([^']*)'")


def expected(complaint: ErrorDetails) -> str:
    """One sentence on what is expected where the complaint is; its context names limits and choices of ours alone."""
    kind, context = complaint["type"], complaint.get("ctx", {})
    if not complaint["loc"] and kind != "value_error":
        return _NO_OBJECT
    if kind in {"literal_error", "enum"}:
        choices = str(context["expected"])
        return f"must be one of {', '.join(_QUOTED.findall(choices)) or choices}"
    if kind in _SENTENCES:
        return _SENTENCES[kind].format_map(context)
    return complaint["msg"].removeprefix("Value error, ")
