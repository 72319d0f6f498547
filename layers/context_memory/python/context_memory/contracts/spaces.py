"""What administrators read and write of their company's spaces, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from context_memory.contracts.body import Body, Strict
from context_memory.domain.company_settings import LARGEST_CAP, SMALLEST_CAP
from context_memory.domain.spaces import Backend, Cadence, RecallSettings, SpaceSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.spaces import StoredSpace

_DEFAULTS = SpaceSettings()
_RECALL = _DEFAULTS.recall
LONGEST_NAME = 200
MOST_SPACES = 100
"""How many spaces an answer holds."""


class RecallBody(Strict):
    """What a space's chats do with facts; what is left out has its default again."""

    enabled: bool = _RECALL.enabled
    write_back: bool = _RECALL.write_back
    pruning: bool = _RECALL.pruning
    compaction: bool = _RECALL.compaction
    backend: Backend = _RECALL.backend
    cadence: Cadence = _RECALL.cadence


class SpaceBody(Body):
    """All settings of a space; one that is left out has its default again."""

    context_memory: bool = _DEFAULTS.context_memory
    web_search: bool = _DEFAULTS.web_search
    use_orchestrator_language_model: bool = _DEFAULTS.use_orchestrator_language_model
    language_model: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] | None = _DEFAULTS.language_model
    max_tokens: Annotated[int, Field(ge=SMALLEST_CAP, le=LARGEST_CAP)] | None = _DEFAULTS.max_tokens
    consolidation_gate_enabled: bool = _DEFAULTS.consolidation_gate_enabled
    recall: RecallBody = RecallBody()

    def settings(self) -> SpaceSettings:
        """What it sets."""
        values = self.model_dump()
        return SpaceSettings(**values | {"recall": RecallSettings(**values["recall"])})


def space_document(space: StoredSpace) -> dict[str, Any]:
    """One space: `settings` is what a `PUT` would send."""
    settings = space.settings
    return {
        "space_id": space.space_id,
        "settings": {
            "context_memory": settings.context_memory,
            "web_search": settings.web_search,
            "use_orchestrator_language_model": settings.use_orchestrator_language_model,
            "language_model": settings.language_model,
            "max_tokens": settings.max_tokens,
            "consolidation_gate_enabled": settings.consolidation_gate_enabled,
            "recall": {
                "enabled": settings.recall.enabled,
                "write_back": settings.recall.write_back,
                "pruning": settings.recall.pruning,
                "compaction": settings.recall.compaction,
                "backend": settings.recall.backend.value,
                "cadence": settings.recall.cadence.value,
            },
        },
    }


def spaces_document(spaces: Sequence[StoredSpace], after: str | None) -> dict[str, Any]:
    """A page of spaces; `next` is what to ask for the next page with, null on the last one."""
    return {"spaces": [space_document(space) for space in spaces], "next": after}
