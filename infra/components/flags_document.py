"""The document of the operator's switches: its shape, as AppConfig checks it, and what it says at first."""

from __future__ import annotations

import json
from typing import Any

COMPANY_ID = "^[a-z0-9][a-z0-9-]{1,62}$"
MOST_DAILY_TOKENS = 10**12
CONTENT_TYPE = "application/json"

# Draft 4 is what AppConfig knows. An unknown key is a misspelt switch, and would read as off.
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "type": "object",
    "required": ["companies"],
    "additionalProperties": False,
    "properties": {
        "companies": {
            "type": "object",
            "additionalProperties": False,
            "patternProperties": {
                COMPANY_ID: {
                    "type": "object",
                    "required": ["context_memory", "context_memory_with_web_search"],
                    "additionalProperties": False,
                    "properties": {
                        "context_memory": {"type": "boolean"},
                        "context_memory_with_web_search": {"type": "boolean"},
                        "daily_tokens": {"type": "integer", "minimum": 1, "maximum": MOST_DAILY_TOKENS},
                    },
                }
            },
        }
    },
}

NOBODY = json.dumps({"companies": {}})
"""What is deployed at first, and never again: a later deployment of the stacks must not undo what was switched."""
