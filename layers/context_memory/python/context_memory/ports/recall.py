"""What recall needs beside the store: an index over facts, embeddings, and what was given in a prompt."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from context_memory.domain.recall.match import Match, Query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope, Scope
    from context_memory.domain.facts.vectors import Vector
    from context_memory.domain.ids import UserKey

KEPT = timedelta(hours=24)
"""So long is remembered what was given in a prompt."""


__all__ = [
    "Embedder",
    "FactIndex",
    "Given",
    "IndexedScope",
    "Indexes",
    "Match",
    "PromptMemories",
    "PromptMemory",
    "Query",
]


class FactIndex(Protocol):
    """Facts of one or several scopes, ready to be searched."""

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches, the best first; ties by confirmation age. Any text is a harmless query."""


@dataclass(frozen=True, slots=True)
class IndexedScope:
    """One scope's facts under the version of its head; equal ones have the same facts.

    `epoch` is that of the user's memory, 0 of shared scopes: after an erase versions begin anew.
    """

    scope: FactScope
    version: int
    facts: Sequence[Fact] = field(compare=False)
    epoch: int = 0


class Indexes(Protocol):
    """A backend: makes indexes, and keeps them warm while the versions of their scopes stand."""

    def over(self, scopes: Sequence[IndexedScope]) -> FactIndex:
        """An index over all of these together."""


class Embedder(Protocol):
    """An OpenAI-compatible endpoint of embeddings."""

    model: str

    def passages(self, texts: Sequence[str], *, seconds_left: float) -> Sequence[Vector]:
        """Vectors of texts that are to be found, in their order.

        Raises:
            ModelUnavailable: time-out, connection, 429.
            ModelServerError: 5xx, or an answer that is none.
            ModelAccessDenied: 401, 403, unknown model.
            ModelRejected: 400, 413, 422.
        """

    def query(self, text: str, *, seconds_left: float) -> Vector:
        """Vector of what is looked for; raises as `passages` does."""


@dataclass(frozen=True, slots=True)
class Given:
    """A fact that was given in a prompt: by its id, never by its text.

    `scope` is None of an ephemeral fact; `space_id` says of which space a workspace's fact is.
    """

    id: str
    scope: Scope | None
    score: float
    why: tuple[str, ...]
    space_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMemory:
    """`PROMPT#<prompt_id>`: what was given in one prompt, over all its calls; it lives for 24 hours.

    Attributes:
        answers: what each call was given, by the hash of all that it asked.
        disabled: a call of this prompt disabled recall: workers that its turn sends out inherit nothing.
    """

    prompt_id: str
    epoch: int
    answers: Mapping[str, tuple[Given, ...]]
    disabled: bool = False

    @property
    def given(self) -> frozenset[str]:
        """Ids of all that was given."""
        return frozenset(one.id for answer in self.answers.values() for one in answer)


class PromptMemories(Protocol):
    """What was given in the prompts of a user."""

    def recalled(self, user: UserKey, prompt_id: str) -> PromptMemory | None:
        """What is remembered of a prompt, of the newest epoch; None when nothing is, or it is older than 24 hours."""

    def remember(self, user: UserKey, prompt: PromptMemory, at: datetime) -> None:
        """Add these answers to what is remembered of the prompt; calls at the same time lose nothing of each other.

        That recall was disabled is never taken back.
        """
