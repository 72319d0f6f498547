"""Attempts are counted before the work begins, so that a kill counts too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable
from context_memory.ports.users import Waiting

if TYPE_CHECKING:
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.putting_back import PuttingBack
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Begins attempts; one that the world did not let begin is given back."""

    table: UserTable
    clock: Clock
    put_back: PuttingBack

    def begin(self, user: UserKey, group: tuple[GatheredTurn, ...]) -> tuple[GatheredTurn, ...]:
        """The turns of a group whose attempt is counted now: those that still wait.

        Raises:
            Unavailable: none of them has begun.
        """
        begun: list[GatheredTurn] = []
        for gathered in group:
            try:
                record = self.begin_one(user, gathered.record)
            except Unavailable as fault:
                waiting = Waiting(reason=type(fault).__name__, uncounted=True)
                self.put_back(user, [one.record for one in begun], waiting)
                raise
            if record is not None:
                begun.append(replace(gathered, record=record))
        return tuple(begun)

    def begin_one(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        """The record as it stands once its attempt is counted; None when the turn waits no more.

        Raises:
            Unavailable: it has not begun.
        """
        try:
            return self.table.start(user, record, self.clock.now())
        except Unavailable as fault:
            # The attempt may have been counted, and the world's fault must not cost one.
            counted = self.table.turn(user, record.turn_id)
            if counted is not None and counted.attempts > record.attempts:
                self.table.wait(user, counted, Waiting(reason=type(fault).__name__, uncounted=True))
            raise
