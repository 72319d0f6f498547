"""What a model's key must be to stand in an HTTP header."""

from __future__ import annotations

from context_memory.domain.errors import ModelAccessDenied

_NO_KEY = "none"  # endpoints without keys want the header all the same


def usable_key(key: str) -> str:
    """The key without the white space around it, or a word that stands for none.

    Raises:
        ModelAccessDenied: no header can carry it. Said here, because HTTP clients quote the key in their complaint.
    """
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ModelAccessDenied("The model's key cannot stand in an HTTP header.")
    return key or _NO_KEY
