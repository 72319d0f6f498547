"""How a turn can end. The enum is closed: every exit of the chain is one member."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of a turn's profile part."""

    UPDATED = "updated"
    UPDATED_PARTIAL = "updated_partial"
    FORGOTTEN = "forgotten"
    NOOP = "noop"
    UNCHANGED = "unchanged"
    SKIPPED_BLANK = "skipped_blank"
    PINNED_CONFLICT = "pinned_conflict"
    MALFORMED = "malformed"
    SCRUB_VETO = "scrub_veto"
    MODEL_REJECTED = "model_rejected"
    PROFILE_UNREADABLE = "profile_unreadable"
    SCHEMA_NEWER = "schema_newer"
    DROPPED_DISABLED = "dropped_disabled"
    DROPPED_ERASED = "dropped_erased"
    DROPPED_SUPERSEDED = "dropped_superseded"
    EXPIRED = "expired"

    @property
    def success(self) -> bool:
        """Whether the profile was stored or nothing had to be."""
        return self in _SUCCESS

    @property
    def stored(self) -> bool:
        """Whether a new version of the profile was stored."""
        return self in _STORED


_STORED = frozenset({Outcome.UPDATED, Outcome.UPDATED_PARTIAL, Outcome.FORGOTTEN})
_SUCCESS = _STORED | {Outcome.NOOP, Outcome.UNCHANGED}


class TurnStatus(StrEnum):
    """Where a turn is on its way; only `done` is final."""

    QUEUED = "queued"
    RUNNING = "running"
    RETRYING = "retrying"
    DONE = "done"
    DEAD = "dead"
