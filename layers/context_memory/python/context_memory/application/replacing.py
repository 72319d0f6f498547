"""A turn that replaces another replaces all that the other had replaced before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import Turn, TurnRecord
    from context_memory.ports.users import UserTable

_LONGEST = 20
"""Times that one message is edited before its first versions stop being looked at."""


def replaced_by(table: UserTable, user: UserKey, turn: Turn) -> list[TurnRecord]:
    """Records of the turns that `turn` replaces, the newest first: one, the one that this one replaces, and so on.

    A turn that was replaced before it was worked off has taken nothing back itself; and what one that was worked off
    had taken back would come back with its own change.

    Raises:
        StoreUnavailable: nobody knows.
    """
    found: list[TurnRecord] = []
    met, replaced = {turn.turn_id}, turn.supersedes_turn_id
    while replaced and replaced not in met and len(found) < _LONGEST:
        record = table.turn(user, replaced)
        if record is None:
            break
        found.append(record)
        met.add(replaced)
        replaced = record.supersedes_turn_id
    return found
