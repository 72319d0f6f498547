"""What a user asked to forget: known by keyed hashes of its gist, and never brought back by what is older."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from context_memory.application.consolidate.gathered import newest
from context_memory.domain.language.gist import gist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import Hasher
    from context_memory.ports.users import UserTable

_PURPOSE = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """Remembers what was forgotten, and tells whether a bullet is among it."""

    table: UserTable
    hasher: Hasher

    def ever(self, user: UserKey) -> Callable[[str], bool]:
        """Whether a bullet was forgotten at any time; the table is read once, when first asked."""
        known = cache(lambda: self.table.forgotten(user))
        return lambda bullet: self._hash(bullet) in known()

    def since(self, user: UserKey, turns: tuple[GatheredTurn, ...]) -> Callable[[str], bool]:
        """Whether a bullet was forgotten after `turns` happened.

        Only a turn older than what the profile has seen can bring such a bullet back; for others nothing is read.
        """
        if not any(gathered.late for gathered in turns):
            return lambda _: False
        known, at = self.table.forgotten(user), newest(turns)

        def is_forgotten(bullet: str) -> bool:
            forgotten_at = known.get(self._hash(bullet))
            return forgotten_at is not None and at < forgotten_at

        return is_forgotten

    def remember(self, user: UserKey, epoch: int, bullets: Iterable[str], at: datetime) -> None:
        """Keep the hashes of what was forgotten at `at`.

        Raises:
            Unavailable: they may not be kept.
        """
        if hashes := [self._hash(bullet) for bullet in bullets]:
            self.table.remember_forgotten(user, epoch, hashes, at)

    def _hash(self, bullet: str) -> str:
        return self.hasher.digest(_PURPOSE, gist(bullet))
