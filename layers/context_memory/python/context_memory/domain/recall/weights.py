"""How much of a fact's words speaks for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a word counts by where it stands.

    Attributes:
        said: in the text of the fact or among its keywords.
        day: in the day on which it was stated.
        near: in what its neighbours say. They are here alone, not in the vectors.
        stems: as a stem; `said` holds the same word in English forms.
        parts: as a part of a long word.
    """

    said: float = 1.0
    day: float = 0.5
    near: float = 0.4
    stems: float = 0.2
    parts: float = 0.1


DEFAULT = Weights()
