"""Ids of companies, users, turns, spaces and chats, and their one spelling in keys and paths.

`encode` is injective and invertible, so no id can leave its prefix, equal another's, or be read by a look-alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from context_memory.domain.errors import InvalidId

MAX_ENCODED = 200
_COMPANY = re.compile(r"[a-z0-9][a-z0-9-]{1,62}")
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@+-")
_SEGMENT = re.compile(r"(?:[A-Za-z0-9_.@+-]|=[0-9A-F]{2})+")
_ESCAPE = re.compile(r"=([0-9A-F]{2})")
_DOTS = {".": "=2E", "..": "=2E=2E"}  # a path may not be led astray by a relative segment


def encode(value: str, field: str = "id") -> str:
    """Spell an id with letters, digits and `_ . @ + - =` only, at most 200 characters.

    Raises:
        InvalidId: empty, a lone surrogate, or too long once encoded.
    """
    if value in _DOTS:
        return _DOTS[value]
    try:
        raw = value.encode()
    except UnicodeEncodeError as error:
        raise InvalidId(field, "must be valid Unicode text") from error
    encoded = "".join(chr(byte) if byte in _KEPT else f"={byte:02X}" for byte in raw)
    if not 1 <= len(encoded) <= MAX_ENCODED:
        raise InvalidId(field, f"must be 1 to {MAX_ENCODED} characters long once encoded")
    return encoded


def decode(segment: str, field: str = "id") -> str:
    """Give back the id that `encode` spelled as `segment`.

    Raises:
        InvalidId: `segment` is not what `encode` yields for any id.
    """
    if not _SEGMENT.fullmatch(segment):
        raise InvalidId(field, "must be an encoded id: other characters are written as '=' and two hex digits")
    raw = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), segment).encode("latin-1")
    try:
        value = raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidId(field, "must encode UTF-8 text") from error
    if encode(value, field) != segment:
        raise InvalidId(field, "must be spelled as the service spells it")
    return value


def company(value: str) -> str:
    """Check a company's slug and return it.

    Raises:
        InvalidId: not `[a-z0-9][a-z0-9-]{1,62}`.
    """
    if not _COMPANY.fullmatch(value):
        raise InvalidId("company_id", "must be 2 to 63 of a-z, 0-9 and '-', and not start with '-'")
    return value


@dataclass(frozen=True, slots=True, order=True)
class UserKey:
    """One user of one company: the unit of isolation."""

    company_id: str
    user_id: str

    def __post_init__(self) -> None:
        """Refuse what has no encoding, so that every key of this user exists."""
        company(self.company_id)
        encode(self.user_id, "user_id")

    @classmethod
    def from_path(cls, company_id: str, segment: str) -> UserKey:
        """Read the two path segments of a request or an object key."""
        return cls(company(company_id), decode(segment, "user_id"))

    @property
    def encoded(self) -> str:
        """The user id as it stands in paths, keys and session tags."""
        return encode(self.user_id, "user_id")

    @property
    def partition(self) -> str:
        """Partition key of the user's items (`acme#lena`)."""
        return f"{self.company_id}#{self.encoded}"

    @property
    def home(self) -> str:
        """Prefix of the user's objects, with its closing slash (`acme/home-lena/`)."""
        return f"{self.company_id}/home-{self.encoded}/"
