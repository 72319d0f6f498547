"""`KeptTurns` over the user table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.kept_items import closing, kept_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn


class DynamoKeptTurns:
    """`KeptTurns`; the port says what each method promises.

    Args:
        writes: of the user table.
    """

    def __init__(self, writes: Writes) -> None:
        self._writes = writes

    def kept(self, user: UserKey) -> Sequence[KeptTurn]:
        """All of the user's, in the order of their acceptance."""
        return [kept_of(item) for item in self._writes.table.items(user, keys.KEPT)]

    def is_kept(self, user: UserKey, open_key: str) -> bool:
        """Whether a turn is."""
        return self._writes.table.item(user, keys.kept(open_key)) is not None

    def close(self, user: UserKey, epoch: int, at: datetime) -> None:
        """Keep nothing from now on that was said until `at`."""
        self._writes.update(user, keys.KEPT_CLOSED, closing(epoch, at))

    def let_go(self, user: UserKey, turns: Iterable[KeptTurn]) -> None:
        """Keep these no more."""
        self._writes.delete(user, [keys.kept(turn.open_key) for turn in turns])
