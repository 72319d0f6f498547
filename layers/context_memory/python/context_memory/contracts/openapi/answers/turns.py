"""Answers to orchestrators."""

from __future__ import annotations

from typing import Literal

from context_memory.contracts.openapi.answers.shared import Count, Freshness, Step, Told, Usage, Version
from context_memory.domain.enablement import Reason
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import Outcome, TurnStatus


class LoadedMemory(Told):
    """What a chat loads before a turn; `prompt` is ready for a system prompt."""

    enabled: bool
    reason: Reason | None
    memory: str | None
    prompt: str | None
    prompt_tokens: Count
    version: Version | None
    freshness: Freshness
    step: Step | None


class QueuedTurn(Told):
    """The turn is safe, and will be consolidated."""

    turn_id: str
    status: Literal["queued"]


class SkippedTurn(Told):
    """Nothing of the turn was stored."""

    turn_id: str
    status: Literal["skipped"]
    reason: Reason


class FactsOfTurn(Told):
    """Where the extraction of a turn's facts is: it begins once the turn is done for the profile."""

    status: Literal["none", "queued", "done", "dead"]
    outcome: FactsOutcome | None
    added: Count
    confirmed: Count
    superseded: Count
    deleted: Count


class TurnState(Told):
    """What became of a turn."""

    turn_id: str
    status: TurnStatus
    outcome: Outcome | None
    reason: str | None
    attempts: Count
    usage: list[Usage]
    facts: FactsOfTurn
    step: Step | None
