"""What a company's administrators register about a space. A space that nobody registered is on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Backend(StrEnum):
    """What searches the facts of a space's chats (docs/recall-backends.md)."""

    SQLITE_FTS = "sqlite_fts"
    MARKDOWN_FTS = "markdown_fts"
    LANCE = "lance"


class Cadence(StrEnum):
    """How often a recall is computed: once for each prompt, or with every call."""

    PER_PROMPT = "per_prompt"
    EVERY_CALL = "every_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """What is registered about the facts of a space's chats.

    Attributes:
        enabled: whether they recall facts; without it none are written either.
        write_back: whether facts are extracted from their turns.
        pruning: whether the least valuable facts go beyond the cap; without it new ones are refused there.
        compaction: whether old facts of theirs are merged.
    """

    enabled: bool = True
    write_back: bool = True
    pruning: bool = True
    compaction: bool = True
    backend: Backend = Backend.SQLITE_FTS
    cadence: Cadence = Cadence.PER_PROMPT

    @property
    def writes_facts(self) -> bool:
        """Whether facts are extracted from turns; where the profile's bullets are the facts, there is no store."""
        return self.enabled and self.write_back and self.backend is not Backend.MARKDOWN_FTS


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSettings:
    """What is registered about a space.

    Attributes:
        context_memory: whether its chats have a memory.
        web_search: whether its chats search the web.
        use_orchestrator_language_model: whether the model that a turn names rewrites the memory.
        language_model: name on the environment's list of the model that does; it goes before the turn's.
        max_tokens: how much of a memory its chats are shown; what is stored is the company's to say.
        consolidation_gate_enabled: whether a small question comes first, of whether a turn matters at all.
        recall: what its chats do with facts.
    """

    context_memory: bool = True
    web_search: bool = False
    use_orchestrator_language_model: bool = False
    language_model: str | None = None
    max_tokens: int | None = None
    consolidation_gate_enabled: bool = True
    recall: RecallSettings = RecallSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSpace:
    """A registered space. Its versions grow with each change, and none comes again, not even after a removal."""

    space_id: str
    settings: SpaceSettings
    version: int


NOT_REGISTERED = 0
"""The version of a space that nobody registered."""
