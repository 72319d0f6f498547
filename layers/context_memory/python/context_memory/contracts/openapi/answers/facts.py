"""Facts as those get them who may see all of them."""

from __future__ import annotations

from typing import Literal

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told


class FactSource(Told):
    """The turn that it was learned from; neither for what a person wrote or imported."""

    turn_id: str | None
    chat_id: str | None


class PastText(Told):
    """What a fact said before."""

    text: str
    replaced_at: Moment


class ShownFact(Told):
    """One fact."""

    id: str
    tier: Literal["core", "contextual", "archival"]
    text: str
    keywords: list[str]
    created_at: Moment
    last_confirmed_at: Moment
    source: FactSource
    uses: Count
    supersedes: list[PastText]
