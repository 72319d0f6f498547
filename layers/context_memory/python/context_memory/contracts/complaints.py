"""What is wrong with a body, told by its first wrong field and never by a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.contracts.expectations import expected
from context_memory.domain.errors import BodyTooLarge, InvalidInput

if TYPE_CHECKING:
    from pydantic import ValidationError

MAX_BODY_BYTES = 1_000_000
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
UNKNOWN = "(unknown field)"
"""What a field is called in logs whose name is the caller's own text."""
_BRANCHES = frozenset({"str", "list[Part]"})
"""How pydantic names the branches of a message's content; they are no part of the caller's document."""


def check_size(raw: bytes) -> None:
    """Refuse a body that nobody needs.

    Raises:
        BodyTooLarge: more than 1 MB.
    """
    if len(raw) > MAX_BODY_BYTES:
        raise BodyTooLarge("body", f"must have at most {MAX_BODY_BYTES} bytes")


def told(name: str) -> str:
    """The name of a field, which may be the caller's own text, as the caller is told it: only if it looks like one."""
    return name if _PLAIN_NAME.fullmatch(name) else UNKNOWN


def first_complaint(error: ValidationError) -> InvalidInput:
    """The first complaint, without the value that caused it.

    Where a union's branches all complain, the one that got furthest into the document says most.
    """
    complaints = error.errors(include_url=False, include_input=False)
    paths = [tuple(str(step) for step in one["loc"] if step not in _BRANCHES) for one in complaints]
    path, complaint = max(
        ((path, one) for path, one in zip(paths, complaints, strict=True) if path[: len(paths[0])] == paths[0]),
        key=lambda found: len(found[0]),
    )
    shown = [step if step.isdigit() else told(step) for step in path]
    known = [*shown[:-1], UNKNOWN] if complaint["type"] == "extra_forbidden" else shown
    return InvalidInput(".".join(shown) or "body", expected(complaint), known=".".join(known) or "body")
