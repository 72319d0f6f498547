"""Parameters and headers that several routes share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.openapi.operation import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

# As `encode` spells an id: what is not among these signs is `=` and two digits.
_SPELLED_ID = {"type": "string", "pattern": r"^([A-Za-z0-9_@+-]|\.(?!$|\.$)|=[0-9A-F]{2})+$", "maxLength": 200}
_SPELLED = r"([A-Za-z0-9_@+-]|\.(?!$|\.$)|=[0-9A-F]{2})+"
_SPELLED_PROVIDER = {"type": "string", "pattern": rf"^{_SPELLED}:{_SPELLED}$", "maxLength": 401}
_USER = {"type": "string", "pattern": rf"^{_SPELLED}(:{_SPELLED})?$", "maxLength": 401}
_COMPANY_ID = {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{1,62}$"}


def in_path(name: str, about: str, schema: Mapping[str, object] = _SPELLED_ID) -> Parameter:
    """An id in the path."""
    return Parameter(name=name, where="path", about=about, schema=schema, required=True)


def in_query(name: str, about: str, schema: Mapping[str, object], *, required: bool = False) -> Parameter:
    """A value in the query."""
    return Parameter(name=name, where="query", about=about, schema=schema, required=required)


def in_header(name: str, about: str, *, required: bool = False) -> Parameter:
    """A text in a header."""
    return Parameter(name=name, where="header", about=about, schema={"type": "string"}, required=required)


def limit(most: int, otherwise: int) -> Parameter:
    """How much of a list is wanted."""
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": otherwise}
    return in_query("limit", "How many are wanted.", schema)


TEXT = {"type": "string"}
ID = {"type": "string", "minLength": 1}
FLAG = {"type": "string", "enum": ["true", "false"]}
COMPANY = in_path("company_id", "The company.", _COMPANY_ID)
USER = in_path(
    "user_id", "The user's id, spelled for a path; or a linked `channel:user`, each part spelled for a path.", _USER
)
PROVIDER = in_path("provider", "`channel:user`, each part spelled for a path.", _SPELLED_PROVIDER)
TURN = in_path("turn_id", "The turn's id, spelled for a path.")
SPACE = in_path("space_id", "The space's id, spelled for a path.")
USER_TOKEN = in_header("x-user-token", "The user's own token, where the company requires it.")
IF_NONE_MATCH = in_header("if-none-match", "The `ETag` of what is at hand: the same is not sent again.")
IF_MATCH = in_header("if-match", "The `ETag` of what is to be replaced: nobody else's change is.")
MUST_MATCH = in_header("if-match", "The `ETag` of what is to be replaced: nobody else's change is.", required=True)

FRESH = ("x-memory-pending", "x-memory-failed", "x-memory-consolidated-through")
"""Headers of whatever shows a memory."""
HEADERS: Mapping[str, str] = {
    "etag": "Names this very version.",
    "x-memory-pending": "How many turns wait to be consolidated.",
    "x-memory-failed": "How many turns were given up.",
    "x-memory-consolidated-through": "When the newest turn happened of those that are consolidated.",
    "content-disposition": "The name under which a browser saves it.",
    "location": "Where to look for what has begun.",
    "retry-after": "Seconds after which to ask again.",
    "www-authenticate": "How to come in.",
    "x-request-id": "Names this request in the logs.",
}
"""What headers of answers say."""
