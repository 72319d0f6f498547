"""Moving facts between two users of a company: each write is one user's, under that user's own credentials.

The source keeps what it gave away as `MOVED#<merge>#<id>`, the target that it was given something as
`MERGED#<merge>#<id>`, a mark without a word of it. Both go by themselves when the merge can be undone no more, and with
their user's memory when that is erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from context_memory.ports.facts import MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.merging import MergeMark
    from context_memory.ports.facts import FactsHead

MOST_MOVED = 45
"""Facts that one write moves: each is two items of a transaction, beside the head and the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsMove:
    """One transaction on one user's facts, and on what is kept of a merge beside them.

    Attributes:
        user: whose facts these are.
        merge_id: what is kept is kept under it.
        base: the head that was read; another writer since makes it refused, whether or not facts change.
        epoch: of the user's memory; memory must be on and no erase run.
        rules: the version of the user's rules that were read.
        puts: facts as they are from now on.
        drops: ids of facts that go.
        count: how many facts there are afterwards.
        keeps: facts to be kept as moved.
        releases: ids of moved facts that are kept no more.
        marks: marks of facts that the user was given; none of them may be there before.
        unmarks: ids of facts whose marks go.
        expires_at: when what is kept goes by itself.

    Raises:
        ValueError: more than one transaction holds.
    """

    user: UserKey
    merge_id: str
    base: FactsHead
    epoch: int
    rules: int
    at: datetime
    expires_at: datetime
    count: int
    puts: tuple[Fact, ...] = ()
    drops: frozenset[str] = frozenset()
    keeps: tuple[Fact, ...] = ()
    releases: frozenset[str] = frozenset()
    marks: tuple[MergeMark, ...] = ()
    unmarks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse what could never be written."""
        parts = (self.puts, self.drops, self.keeps, self.releases, self.marks, self.unmarks)
        if sum(map(len, parts)) + 2 > MOST_ITEMS:
            raise ValueError(f"One transaction holds {MOST_ITEMS} items.")


class FactMoves(Protocol):
    """What merges write of users, and keep beside their facts."""

    def moved(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[Fact]:
        """Facts that a merge has taken from the user in that epoch, in the order of their ids."""

    def marks(self, user: UserKey, merge_id: str, epoch: int) -> Sequence[MergeMark]:
        """Marks of the facts that a merge has given the user in that epoch, in the order of their ids."""

    def move(self, move: FactsMove) -> None:
        """Do all of it in one transaction. The head gets another version.

        Raises:
            CommitRefused: names the clauses that failed: `facts` (another version), `settings`, `mark`.
            StoreUnavailable: also when it is unknown whether it was done: read and see.
        """
