"""Use cases' results as the bodies that callers get. Standard library only: load imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.steps import loading_step, updating_step
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.profile import pin_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from context_memory.application.account.memory import Remembered
    from context_memory.application.load import Loaded
    from context_memory.application.maintain.inspecting import Inspected
    from context_memory.domain.profile import Bullets, Section
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.domain.turn import TurnRecord, Usage


def load_body(loaded: Loaded) -> dict[str, object]:
    """Body of `GET …/memory`."""
    view, pointer = loaded.view, loaded.pointer
    return {
        "enabled": loaded.reason is None,
        "reason": loaded.reason,
        "memory": view and view.memory,
        "prompt": view and view.prompt,
        "prompt_tokens": view.prompt_tokens if view else 0,
        "version": _version(pointer) if pointer and view else None,
        "freshness": _freshness(loaded.state),
        "step": loading_step(shown=bool(view and view.prompt)) if loaded.reason is None else None,
    }


def remembered_body(remembered: Remembered) -> dict[str, object]:
    """Body of `GET /v1/me/memory`."""
    pointer, profile = remembered.pointer, remembered.profile
    return {
        "enabled": remembered.enabled,
        "reason": remembered.reason,
        "sections": sections_shown(profile.bullets, remembered.state.settings.pins) if profile else [],
        "memory": profile and profile.memory,
        "version": _version(pointer) if pointer and profile else None,
        "freshness": _freshness(remembered.state),
    }


def sections_shown(bullets: Bullets, pins: frozenset[str]) -> list[dict[str, object]]:
    """All six sections; each bullet with the id that pins and origins name it by."""
    return [
        {"heading": section.value, "bullets": [_bullet(section, text, pins) for text in texts]}
        for section, texts in bullets.sections()
    ]


def _bullet(section: Section, text: str, pins: frozenset[str]) -> dict[str, object]:
    bullet_id = pin_of(section, text)
    return {"id": bullet_id, "text": text, "pinned": bullet_id in pins}


def memory_headers(state: UserState, etag: str | None) -> Mapping[str, str]:
    """`ETag`, and how fresh the answer is: a 304 has no body to say it in."""
    through = _time(state.consolidated_through)
    headers = {"x-memory-pending": str(len(state.waiting)), "x-memory-failed": str(state.failed)}
    if through:
        headers["x-memory-consolidated-through"] = through
    if etag:
        headers |= {"etag": etag, "cache-control": "private, no-cache"}
    return headers


def turn_body(record: TurnRecord) -> dict[str, object]:
    """Body of `GET …/turns/{turn_id}`."""
    return {
        "turn_id": record.turn_id,
        "status": record.status.value,
        "outcome": record.outcome and record.outcome.value,
        "reason": record.reason,
        "attempts": record.attempts,
        "usage": [usage_body(usage) for usage in record.usage],
        "facts": facts_body(record),
        "step": updating_step(record.status, record.outcome, record.reason, stored=record.revision is not None),
    }


def facts_body(record: TurnRecord) -> dict[str, object]:
    """Where the extraction of a turn's facts is, and what came of it."""
    counts = record.facts or FactsCounts()
    return {
        "status": _facts_status(record),
        "outcome": record.facts_outcome and record.facts_outcome.value,
        "added": counts.added,
        "confirmed": counts.confirmed,
        "superseded": counts.superseded,
        "deleted": counts.deleted,
    }


def _facts_status(record: TurnRecord) -> str:
    if not record.wants_facts:
        return "none"
    if record.facts_outcome is None:
        return "queued"
    return "dead" if record.facts_outcome is FactsOutcome.DEAD else "done"


def usage_body(usage: Usage) -> dict[str, object]:
    """Tokens of one answered model call."""
    return {
        "purpose": usage.purpose,
        "model": usage.model,
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
    }


def inspected_body(inspected: Inspected) -> dict[str, object]:
    """Answer of the job `inspect`."""
    state = inspected.state
    pointer = state.current
    return {
        "memory_on": state.settings.context_memory,
        "erase_running": state.settings.erase_running,
        "version": _version(pointer) if pointer else None,
        "freshness": _freshness(state),
        "facts": {
            "count": inspected.facts,
            "pending": sum(not one.dead for one in inspected.extractions),
            "failed": sum(one.dead for one in inspected.extractions),
        },
        "turns": [
            {
                "turn_id": turn.turn_id,
                "status": record.status.value,
                "reason": record.reason,
                "attempts": record.attempts,
                "accepted_at": _time(turn.accepted_at),
            }
            for turn, record in inspected.turns
            if record is not None
        ],
    }


def _version(pointer: ProfilePointer) -> dict[str, object]:
    return {
        "turn_count": pointer.turn_count,
        "last_updated": _time(pointer.last_updated),
        "sha256": pointer.sha256,
        "tokens": pointer.tokens,
    }


def _freshness(state: UserState) -> dict[str, object]:
    return {
        "consolidated_through": _time(state.consolidated_through),
        "pending": len(state.waiting),
        "failed": state.failed,
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
