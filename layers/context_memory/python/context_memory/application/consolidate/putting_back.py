"""Letting turns wait, even while the table is out of reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable, Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class PuttingBack:
    """Puts turns back into waiting; what cannot be written now is owed."""

    table: UserTable
    telemetry: Telemetry
    owed: dict[UserKey, dict[str, tuple[TurnRecord, Waiting]]] = field(default_factory=dict)
    """Turns of this process that could not be put back yet."""

    def __call__(self, user: UserKey, records: Iterable[TurnRecord], waiting: Waiting) -> None:
        """Let turns wait. What cannot be written now is owed, and written before anything else is done for the user."""
        owed = self.owed.setdefault(user, {})
        owed |= {record.turn_id: (record, waiting) for record in records}
        try:
            self.pay(user)
        except Unavailable as error:
            self.telemetry.warning("could not put turns back", error_type=type(error).__name__)

    def pay(self, user: UserKey) -> None:
        """Write what is owed to the user's turns: a fault of the world must not cost attempts by lasting.

        Raises:
            Unavailable: something is still owed; the rest is written all the same.
        """
        owed, fault = self.owed.get(user, {}), None
        for turn_id, (record, waiting) in list(owed.items()):
            try:
                self.table.wait(user, record, waiting)
                del owed[turn_id]
            except Unavailable as error:
                fault = fault or error
        if fault:
            raise fault
        self.owed.pop(user, None)
