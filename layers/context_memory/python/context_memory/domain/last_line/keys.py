"""Key blocks, signed tokens and passwords inside addresses: secrets whose form is a public standard."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A heading alone is talk about keys; only with content behind it is it a key.
_PEM = re.compile(
    r"-----BEGIN (?P<label>[A-Z0-9 ]+)-----\s*(?:[A-Za-z-]+: [^\n]*\n\s*)*[A-Za-z0-9+/=]{16,}"
    r"(?:(?:(?!-----).)*-----END (?P=label)-----|(?:\s+[A-Za-z0-9+/=]{16,})*)",
    re.DOTALL,
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_.-])(eyJ[A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,20}://(?P<user>[^\s/?#@:]*):(?P<password>[^\s/?#@]+)@[^\s/@]", re.IGNORECASE
)
_STAND_IN = re.compile(r"[<{\[$%*•█].*|x+|\.+|…|pass(?:word|wd)?|pwd|secret", re.IGNORECASE)


def private_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of PEM blocks with content, closed or not."""
    return (match.span() for match in _PEM.finditer(text))


def signed_tokens(text: str) -> Iterator[tuple[int, int]]:
    """Spans of JSON Web Tokens whose header is a JSON object."""
    return (match.span() for match in _TOKEN.finditer(text) if _is_header(match[1]))


def address_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Spans of `user:password` inside addresses, unless the password is a stand-in such as `<password>`."""
    return (
        (match.start("user"), match.end("password"))
        for match in _ADDRESS.finditer(text)
        if not _STAND_IN.fullmatch(match["password"])
    )


def _is_header(part: str) -> bool:
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), dict)
    except (ValueError, binascii.Error):
        return False
