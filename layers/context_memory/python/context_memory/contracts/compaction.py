"""What compaction is asked to answer, as a strict JSON schema; `domain/replies/compaction.py` reads it tolerantly."""

from __future__ import annotations

COMPACTION_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "merges": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "of": {"type": "array", "items": {"type": "integer"}},
                    "text": {"type": "string"},
                },
                "required": ["of", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["merges"],
    "additionalProperties": False,
}
"""The whole answer."""
