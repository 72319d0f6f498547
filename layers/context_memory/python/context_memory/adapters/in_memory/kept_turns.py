"""Which turns are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.adapters.in_memory.user_table import InMemoryUserTable
    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn


class InMemoryKeptTurns:
    """`KeptTurns`; the port says what each method promises."""

    def __init__(self, table: InMemoryUserTable) -> None:
        self._table = table

    def kept(self, user: UserKey) -> Sequence[KeptTurn]:
        """All of the user's, in the order of their acceptance."""
        with self._table.opened(user, "kept") as items:
            return [turn for _, turn in sorted(items.kept.items())]

    def is_kept(self, user: UserKey, open_key: str) -> bool:
        """Whether a turn is."""
        with self._table.opened(user, "is_kept") as items:
            return open_key in items.kept

    def close(self, user: UserKey, epoch: int, at: datetime) -> None:
        """Keep nothing from now on that was said until `at`."""
        with self._table.opened(user, "close_kept") as items:
            items.closed = max(items.closed or (epoch, at), (epoch, at))

    def let_go(self, user: UserKey, turns: Iterable[KeptTurn]) -> None:
        """Keep these no more."""
        with self._table.opened(user, "let_go_of_kept") as items:
            for turn in turns:
                items.kept.pop(turn.open_key, None)
