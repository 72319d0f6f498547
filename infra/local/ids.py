"""The one spelling of ids in paths. The service has its own copy: infrastructure and run-time code share no module."""

from __future__ import annotations

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@+-")
_DOTS = {".": "=2E", "..": "=2E=2E"}


def encode(value: str) -> str:
    """Spell an id for a path: ASCII letters, digits and `_ . @ + -` stay, other bytes become `=` and two hex digits."""
    return _DOTS.get(value) or "".join(chr(byte) if byte in _KEPT else f"={byte:02X}" for byte in value.encode())
