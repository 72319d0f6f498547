"""Facts for a question, and citations."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from context_memory.contracts.openapi.answers.shared import Count, Told
from context_memory.domain.enablement import Reason
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.scopes import Scope
from context_memory.domain.spaces import Backend


class FactHit(Told):
    """A fact that is given. Bullets of the profile have no marker; facts of the chat itself no scope."""

    id: str
    marker: str | None
    text: str
    tier: Tier
    scope: Scope | None
    score: Annotated[float, Field(ge=0, le=1)]
    why: list[Literal["keywords", "meaning", "core"]]


class RecalledFacts(Told):
    """The facts for a question, as a block for the prompt and one by one; or why there are none."""

    enabled: bool
    reason: Reason | None
    block: str
    hits: list[FactHit]
    tokens: Count
    backend: Backend | None
    cached: bool
    notes: list[
        Literal[
            "embedding_unavailable",
            "profile_unavailable",
            "shared_facts_outdated",
            "shared_facts_incomplete",
            "citations_unavailable",
        ]
    ]


class CitedFact(Told):
    """A fact that an answer rests on; text and scope are null of a fact of the chat, which nobody keeps."""

    id: str
    text: str | None
    scope: Scope | None


class ResolvedCitations(Told):
    """An answer without markers that nobody gave."""

    answer: str
    citations: list[CitedFact]
    invented: Count
    withdrawn: Count
    notes: list[Literal["prompt_unknown"]]
