"""What AWS refuses only when it deploys, and what is therefore counted when the stacks are synthesised."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_VARIABLE_BYTES = 4096
"""Of all environment variables of a function, names and values together."""
_LONGEST = {"AWS::AccountId": 12, "AWS::Region": 14, "AWS::Partition": 10, "AWS::URLSuffix": 16}
"""Characters of the longest of each: `ap-southeast-1`, `aws-us-gov`, `amazonaws.com.cn`."""
_LONGEST_REFERENCE = 64
"""Longer than whatever another reference in a variable becomes, such as an id."""


def too_large(template: Mapping[str, Any]) -> Iterable[str]:
    """A sentence for each function of a template whose environment variables Lambda would refuse."""
    for resource in template.get("Resources", {}).values():
        if resource["Type"] != "AWS::Lambda::Function":
            continue
        properties = resource["Properties"]
        size = variable_bytes(properties.get("Environment", {}).get("Variables", {}))
        if size > MOST_VARIABLE_BYTES:
            yield (
                f"the environment variables of {properties.get('FunctionName', 'a function')} are {size} bytes,"
                f" and Lambda takes {MOST_VARIABLE_BYTES}: name fewer companies, callers or limits in the"
                " environment's file"
            )


def variable_bytes(variables: Mapping[str, Any]) -> int:
    """Size of variables as Lambda counts them, with references at their longest."""
    filled = {name: _filled(value) for name, value in variables.items()}
    return len(json.dumps(filled, ensure_ascii=False, separators=(",", ":")).encode())


def _filled(value: Any) -> str:  # noqa: ANN401 - a template's value
    if isinstance(value, dict) and "Fn::Join" in value:
        separator, parts = value["Fn::Join"]
        return str(separator).join(_filled(part) for part in parts)
    return value if isinstance(value, str) else "x" * _LONGEST.get(value.get("Ref"), _LONGEST_REFERENCE)
