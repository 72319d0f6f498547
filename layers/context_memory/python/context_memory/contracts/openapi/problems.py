"""Problem documents as the description tells them; which there are, and of which status, is `contracts.problems`'."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from context_memory.contracts.problems import INTERNAL, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALWAYS = frozenset({INTERNAL, "store_unavailable"})
"""What any route that reaches a store may answer."""
INPUT = frozenset({"invalid_input"})
BODY = frozenset({"invalid_input", "body_too_large"})
PINNED = frozenset({"invalid_input", "caller_not_pinned"})
"""Of routes of a company."""
LINKED = frozenset({"link_unknown"})
"""Where a path may name a provider in place of a user."""
LOCKED = PINNED | LINKED | {"user_token_required", "user_token_invalid", "user_token_of_another", "issuer_unavailable"}
"""Of routes about a user that orchestrators call."""
TOKEN = frozenset({"claim_refused"})
"""Of routes that a user calls."""
READING = frozenset({"profile_unreadable", "owner_mismatch"})
"""Where a stored memory is read."""
CHANGING = READING | {"memory_off", "erase_running", "flags_unavailable"}
"""Where a memory is changed by anybody but a turn."""
PREFIX = "urn:context-memory:problem:"

STATUSES: Mapping[str, int] = {name: status for _, status, name, _ in KINDS} | {INTERNAL: 500}
"""Every problem there is, with its status."""
TITLES: Mapping[str, str] = {name: title for _, _, name, title in KINDS} | {INTERNAL: "Something went wrong."}


class Problem(BaseModel):
    """An RFC 9457 problem document; some say more, in fields of their own."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int


class GatewayMessage(BaseModel):
    """What the gateway itself says, before any function is asked."""

    model_config = ConfigDict(extra="allow")

    message: str | None


GATEWAY = {
    401: "The gateway wants a token of the user's, and there was none that counts.",
    403: "The gateway does not let this caller in.",
    404: "There is no such path.",
    413: "The gateway takes no more than 10 MB.",
    429: "Too many requests.",
    500: "The gateway got no answer.",
    503: "The gateway got no answer in time.",
}
"""What the gateway answers by itself, by status."""


def by_status(names: Iterable[str]) -> Mapping[int, tuple[str, ...]]:
    """The problems of an operation, gathered by status and sorted."""
    found = defaultdict[int, set[str]](set)
    for name in names:
        found[STATUSES[name]].add(name)
    return {status: tuple(sorted(found[status])) for status in sorted(found)}


def schema_of(names: Iterable[str]) -> dict[str, Any]:
    """A problem document of one of these types."""
    types = {"properties": {"type": {"enum": [f"{PREFIX}{name}" for name in names]}}}
    return {"allOf": [{"$ref": "#/components/schemas/Problem"}, types]}
