"""Use cases' results as the bodies that callers get. Standard library only: load imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.steps import loading_step, updating_step

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from context_memory.application.load import Loaded
    from context_memory.domain.turn import TurnRecord


def load_body(loaded: Loaded) -> dict[str, object]:
    """Body of `GET …/memory`."""
    view, pointer = loaded.view, loaded.pointer
    version = pointer and {
        "turn_count": pointer.turn_count,
        "last_updated": _time(pointer.last_updated),
        "sha256": pointer.sha256,
        "tokens": pointer.tokens,
    }
    return {
        "enabled": loaded.reason is None,
        "reason": loaded.reason,
        "memory": view and view.memory,
        "prompt": view and view.prompt,
        "prompt_tokens": view.prompt_tokens if view else 0,
        "version": version if view else None,
        "freshness": {
            "consolidated_through": _time(loaded.state.consolidated_through),
            "pending": len(loaded.state.waiting),
            "failed": loaded.state.failed,
        },
        "step": loading_step(shown=bool(view and view.prompt)) if loaded.reason is None else None,
    }


def load_headers(loaded: Loaded) -> Mapping[str, str]:
    """`ETag`, and how fresh the answer is: a 304 has no body to say it in."""
    through = _time(loaded.state.consolidated_through)
    headers = {
        "x-memory-pending": str(len(loaded.state.waiting)),
        "x-memory-failed": str(loaded.state.failed),
    }
    if through:
        headers["x-memory-consolidated-through"] = through
    if loaded.etag:
        headers |= {"etag": loaded.etag, "cache-control": "private, no-cache"}
    return headers


def turn_body(record: TurnRecord) -> dict[str, object]:
    """Body of `GET …/turns/{turn_id}`."""
    return {
        "turn_id": record.turn_id,
        "status": record.status.value,
        "outcome": record.outcome and record.outcome.value,
        "reason": record.reason,
        "attempts": record.attempts,
        "usage": [
            {
                "purpose": usage.purpose,
                "model": usage.model,
                "input_tokens": usage.input_tokens,
                "cached_tokens": usage.cached_tokens,
                "output_tokens": usage.output_tokens,
            }
            for usage in record.usage
        ],
        "step": updating_step(record.status, record.outcome, record.reason, stored=record.revision is not None),
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
