"""The committed description, as it is served. Standard library only."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import NamedTuple

PLACE = Path(__file__).with_name("openapi.json")


class Published(NamedTuple):
    """The document as JSON text, and the `ETag` that names it."""

    text: str
    etag: str


@functools.cache
def published() -> Published:
    """Read once."""
    text = PLACE.read_text()
    return Published(text, f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"')
