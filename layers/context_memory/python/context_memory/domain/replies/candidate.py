"""A body that a model proposes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.profile import Bullets, Section


@dataclass(frozen=True, slots=True)
class Candidate:
    """The bullets of a proposed body; `filled` names the sections that hold a bullet or a placeholder.

    A section that is not `filled` says nothing: it is no request to empty it.
    """

    bullets: Bullets
    filled: frozenset[Section]
