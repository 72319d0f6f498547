"""Letting go of kept texts: all that was said until some moment, or that of some turns.

The table is told first, so that nothing is made of a text any more; then the text goes. One that is left behind by a
death in between is nobody's, and goes with the next walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.ports.keeping import KeptTurns
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """Takes kept texts away; `texts` are where they lie."""

    turns: KeptTurns
    texts: TurnPayloads
    clock: Clock
    telemetry: Telemetry

    def all_until(self, user: UserKey, epoch: int, moment: datetime | None = None) -> None:
        """Let go of everything that was said until `moment`, by default now, also in turns that are kept only later.

        A user who wants something forgotten names it in their own words, and nobody can tell from those which of many
        texts speak of it in others. So all of them go.

        Raises:
            Unavailable: some may be left: come again.
        """
        until = moment or self.clock.now()
        self.turns.close(user, epoch, until)
        self.some(user, lambda turn: turn.said_at <= until)

    def some(self, user: UserKey, goes: Callable[[KeptTurn], bool]) -> None:
        """Let go of what was said in turns that `goes` says.

        Raises:
            Unavailable: some may be left: come again.
        """
        going = [turn for turn in self.turns.kept(user) if goes(turn)]
        if going:
            self.turns.let_go(user, going)
            self.remove(user, going)
            self.telemetry.count("kept_turns_total", len(going), result="dropped")

    def remove(self, user: UserKey, turns: Sequence[KeptTurn]) -> None:
        """Remove the texts of turns that are kept no more.

        Raises:
            Unavailable: some may be left.
        """
        self.texts.delete_all(user, [(turn.turn_id, turn.payload_sha256) for turn in turns])
