"""The API's answers as values: what a load gives, and what is known about a turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SUCCESS = frozenset({"updated", "updated_partial", "forgotten", "noop", "unchanged"})
STORED = frozenset({"updated", "updated_partial", "forgotten"})
# What an orchestrator's own wish or a person's rules bring about is no failure of the service.
EXPECTED = SUCCESS | {"skipped_blank", "pinned_conflict", "dropped_disabled", "dropped_erased", "dropped_superseded"}

_FACTS_CHANGED = ("added", "confirmed", "superseded", "deleted")


@dataclass(frozen=True, slots=True)
class Memory:
    """A load's answer; `memory` is the Markdown body, `prompt` the ready section for a system prompt."""

    enabled: bool
    reason: str | None
    memory: str | None
    prompt: str | None
    prompt_tokens: int
    turn_count: int
    tokens: int
    last_updated: str | None
    consolidated_through: str | None
    pending: int
    failed: int

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Memory:
        """Read the body of `GET …/memory`."""
        version, fresh = answer.get("version") or {}, answer.get("freshness") or {}
        return cls(
            enabled=bool(answer["enabled"]),
            reason=answer.get("reason"),
            memory=answer.get("memory"),
            prompt=answer.get("prompt"),
            prompt_tokens=int(answer.get("prompt_tokens") or 0),
            turn_count=int(version.get("turn_count") or 0),
            tokens=int(version.get("tokens") or 0),
            last_updated=version.get("last_updated"),
            consolidated_through=fresh.get("consolidated_through"),
            pending=int(fresh.get("pending") or 0),
            failed=int(fresh.get("failed") or 0),
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn's state; tokens are summed over its model calls.

    `facts` is `queued` while some may still be stored; `facts_changed` counts by what was done to them.
    """

    turn_id: str
    status: str
    outcome: str | None
    reason: str | None
    attempts: int
    calls: tuple[str, ...]
    input_tokens: int
    output_tokens: int
    facts: str = "none"
    facts_changed: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Turn:
        """Read the body of `GET …/turns/{turn_id}`."""
        usage, facts = answer.get("usage") or [], answer.get("facts") or {}
        return cls(
            turn_id=str(answer.get("turn_id", "")),
            status=str(answer["status"]),
            outcome=answer.get("outcome"),
            reason=answer.get("reason"),
            attempts=int(answer.get("attempts") or 0),
            calls=tuple(str(call["purpose"]) for call in usage),
            input_tokens=sum(int(call["input_tokens"]) for call in usage),
            output_tokens=sum(int(call["output_tokens"]) for call in usage),
            facts=str(facts.get("status", "none")),
            facts_changed={what: int(facts.get(what) or 0) for what in _FACTS_CHANGED},
        )

    @property
    def final(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self.status in {"done", "dead"}

    @property
    def well(self) -> bool:
        """Whether it ended as a turn should: nothing failed."""
        return self.status == "done" and self.outcome in EXPECTED
