"""The step that an orchestrator can show to the user. Nothing is called completed that failed."""

from __future__ import annotations

from context_memory.domain.outcomes import Outcome, TurnStatus

Step = dict[str, object]

_SILENT = frozenset(
    {Outcome.SKIPPED_BLANK, Outcome.DROPPED_DISABLED, Outcome.DROPPED_ERASED, Outcome.DROPPED_SUPERSEDED}
)
_TITLE = "Updating your memory"
_REVIEW = {"type": "UserMemory", "text": "Review your context memory"}
GATE = "gate"
"""Reason of a NOOP that the gate decided: it concerns nobody and shows no step."""


def loading_step(*, shown: bool) -> Step:
    """For an answered load; with an entry only when a memory was loaded."""
    entry = {"entry": {"type": "UserMemory", "text": "Context memory"}} if shown else {}
    return {"title": "Loading context memory", "status": "completed", **entry}


def is_silent(outcome: Outcome | None, reason: str | None) -> bool:
    """Whether an end concerns nobody, so that no step is shown and no news go out."""
    return outcome in _SILENT or (outcome is Outcome.NOOP and reason == GATE)


def updating_step(status: TurnStatus, outcome: Outcome | None, reason: str | None, *, stored: bool) -> Step | None:
    """For a turn on its way or at its end; None when there is nothing to tell."""
    if is_silent(outcome, reason):
        return None
    step: Step = {"title": _TITLE}
    if outcome is None:
        dead = status is TurnStatus.DEAD
        return step | ({"status": "failed", "reason": reason or "dead"} if dead else {"status": "running"})
    entry = {"entry": dict(_REVIEW)} if stored else {}
    if not outcome.success:
        return step | {"status": "failed", "reason": outcome.value} | entry
    return step | {"status": "completed"} | entry


def changed_step() -> Step:
    """For a stored change that rests on no turn."""
    return {"title": _TITLE, "status": "completed", "entry": dict(_REVIEW)}
