"""What history keeps of a change: nothing that the last line has taken out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.last_line.redaction import inspect

if TYPE_CHECKING:
    from context_memory.domain.operations import Operation


def without_secrets(operation: Operation) -> Operation:
    """The operation with certain secrets masked in both texts."""
    before, after = (text and inspect(text).masked for text in (operation.before, operation.after))
    return replace(operation, before=before, after=after)
