"""What a revision unlearned, within its item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.domain.condemnation import Condemnation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.dynamodb.attributes import Plain


def condemnation_map(condemned: Condemnation) -> dict[str, Plain]:
    """The criteria; an empty list or null is none that was given."""
    return {
        "turn_ids": [*sorted(condemned.turn_ids)],
        "chat_ids": [*sorted(condemned.chat_ids)],
        "since": stamp(condemned.since) if condemned.since else None,
        "until": stamp(condemned.until) if condemned.until else None,
        "models": [*sorted(condemned.models)],
        "prompt_versions": [*sorted(condemned.prompt_versions)],
    }


def condemnation_of(entry: Mapping[str, Any]) -> Condemnation:
    """What `condemnation_map` wrote."""
    return Condemnation(
        turn_ids=frozenset(entry["turn_ids"]),
        chat_ids=frozenset(entry["chat_ids"]),
        since=entry["since"] and moment(entry["since"]),
        until=entry["until"] and moment(entry["until"]),
        models=frozenset(entry["models"]),
        prompt_versions=frozenset(entry["prompt_versions"]),
    )
