"""What extraction is asked to answer, as a strict JSON schema; `domain/replies/extraction.py` reads it tolerantly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPERATION = {
    "op": {"type": "string", "enum": ["add", "confirm", "supersede", "delete"]},
    "quote": {"type": "string"},
    "id": {"type": ["integer", "null"]},
    "text": {"type": ["string", "null"]},
    "tier": {"type": ["string", "null"], "enum": ["core", "contextual", "archival", None]},
    "keywords": {"type": "array", "items": {"type": "string"}},
}


def _strict(properties: Mapping[str, object]) -> dict[str, object]:
    """An object with exactly these fields, as strict schemas want it: each is required, nothing else is allowed."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


EXTRACTION_SCHEMA = _strict({"facts": {"type": "array", "items": _strict(_OPERATION)}})
"""The whole answer."""
