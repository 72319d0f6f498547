"""Giving a dead turn another life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.ringing import turn_ring
from context_memory.domain.errors import UnknownTurn

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports import Doorbells, Telemetry, UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Redrive:
    """The job `redrive`."""

    table: UserTable
    doorbells: Doorbells
    telemetry: Telemetry

    def __call__(self, user: UserKey, turn_id: str) -> None:
        """Set the turn waiting again with attempts and calls at 0, and ring for it.

        Raises:
            UnknownTurn: it is not dead, or not known.
        """
        record = self.table.redrive(user, turn_id)
        if record is None:
            raise UnknownTurn("No dead turn of this id is known.")
        self.doorbells.ring(turn_ring(user, record))
        self.telemetry.event("a dead turn was set waiting again")
