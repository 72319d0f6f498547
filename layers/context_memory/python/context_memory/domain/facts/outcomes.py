"""How the extraction of a turn's facts ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FactsOutcome(StrEnum):
    """Every way out; only the first two are success."""

    STORED = "stored"
    NOTHING = "nothing"
    """The turn holds no fact, or none that was not known."""
    SKIPPED = "skipped"
    """The profile's consolidation ended it: a gate's NOOP, blank, replaced; or it was unlearned."""
    MALFORMED = "malformed"
    MODEL_REJECTED = "model_rejected"
    DROPPED_DISABLED = "dropped_disabled"
    DROPPED_ERASED = "dropped_erased"
    EXPIRED = "expired"
    DEAD = "dead"
    """Our own code failed on it five times."""

    @property
    def success(self) -> bool:
        """Whether what the turn said was taken in."""
        return self in {FactsOutcome.STORED, FactsOutcome.NOTHING}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsCounts:
    """What became of the facts of a turn."""

    added: int = 0
    confirmed: int = 0
    superseded: int = 0
    deleted: int = 0
    refused: int = 0
    pruned: int = 0
