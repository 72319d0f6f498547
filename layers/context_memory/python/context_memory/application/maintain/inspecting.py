"""Where a user's turns are, for whoever answers a support case: ids, states and times, never what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import UserScope

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import OpenTurn, UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import FactStore, PendingExtraction
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

MOST_TURNS = 50
"""So many open turns are told of at most; the state's counts are of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """The user's state, and the oldest open turns with what is recorded about them (None: it ended meanwhile).

    `facts` is how many facts there are, `extractions` are turns that facts are still to be extracted from.
    """

    state: UserState
    facts: int
    extractions: tuple[PendingExtraction, ...]
    turns: tuple[tuple[OpenTurn, TurnRecord | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspect:
    """The job `inspect`."""

    table: UserTable
    facts: FactStore
    telemetry: Telemetry

    def __call__(self, user: UserKey) -> Inspected:
        """Look at what waits and what was given up; an unknown user has an empty state."""
        with self.telemetry.about(user):
            state = self.table.state(user)
            oldest = sorted(state.unfinished, key=lambda turn: (turn.accepted_at, turn.key))[:MOST_TURNS]
            turns = tuple((turn, self.table.turn(user, turn.turn_id)) for turn in oldest)
            self.telemetry.event("an operator looked at a user's turns", turns=len(state.unfinished))
            facts = self.facts.head(user, UserScope(user)).count
            extractions = tuple(self.facts.pending(user))
        return Inspected(state=state, facts=facts, extractions=extractions, turns=turns)
