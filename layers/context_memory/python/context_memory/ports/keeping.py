"""Turns whose text is kept for a while; what was said in them lies where `TurnPayloads` of another folder says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn


class KeptTurns(Protocol):
    """`KEPT#` items: which turns are kept. A text without one is nobody's and goes. Every read is consistent.

    They are put by `FactsChange.keeps`, with the facts of their turns, and go by `lets_go`, with those of a summary.
    """

    def kept(self, user: UserKey) -> Sequence[KeptTurn]:
        """All of the user's, of any epoch, in the order of their acceptance."""

    def is_kept(self, user: UserKey, open_key: str) -> bool:
        """Whether a turn is."""

    def close(self, user: UserKey, epoch: int, at: datetime) -> None:
        """Keep nothing from now on, and make facts of nothing, that was said until `at`; a later one counts longer."""

    def let_go(self, user: UserKey, turns: Iterable[KeptTurn]) -> None:
        """Keep these no more; absent ones are no error. Some may be gone when it fails."""
