"""What an erase needs: the tombstone, what is left of a user, and the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.domain.erasing import Erasure, LedgerEntry, Remnant, Standing
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that is left of a user: its kind, its key, and its version where keys have several."""

    kind: Remnant
    key: str
    version: str | None = None


class Tombstones(Protocol):
    """`A#SETTINGS` as an erase sees it: the fence, and what is known of the erase. Reads are consistent."""

    def standing(self, user: UserKey) -> Standing:
        """Where the user stands."""

    def fence(self, user: UserKey, before: Standing, erasure: Erasure, *, context_memory: bool) -> None:
        """Move the epoch and remove pointer, pins and deny rules in one transaction; from now on nothing is written.

        Raises:
            CommitRefused: clause `settings`: epoch or switch are no longer those of `before`, or an erase is running.
            StoreUnavailable: also when it is unknown whether the fence stands: read and see.
        """

    def advance(self, user: UserKey, before: Erasure, after: Erasure) -> None:
        """Write `after` on top of `before`; a final one lifts the fence.

        Raises:
            CommitRefused: clause `settings`: another step came first.
        """

    def switch(self, user: UserKey, epoch: int, *, on: bool) -> None:
        """Turn memory off for after the running erase, or on where none runs.

        Raises:
            CommitRefused: clause `settings`: another epoch counts, or to be turned on while an erase runs.
        """


class Remains(Protocol):
    """One place where something of a user lies: a bucket, a table."""

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:
        """All that is older than `epoch`, in batches, each looked up when it is asked for; no batch is empty."""

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:
        """Remove what was found, for good; what is gone already, or has been written anew since, is no error."""


class SharedIndexes(Protocol):
    """Objects of indexes over facts that a company shares with its users."""

    def clear(self, company_id: str) -> int:
        """Remove all of them, for good, and nobody's own.

        Returns:
            How many went.

        Raises:
            StoreUnavailable: some are left.
        """


class Ledger(Protocol):
    """Erasures, by keyed hashes of users, in the company table: it knows them when a table was set back."""

    def note(self, user: UserKey, entry: LedgerEntry) -> None:
        """Keep an entry, which is one for its user and epoch; that memory is off is never taken back."""

    def newest(self, user: UserKey) -> LedgerEntry | None:
        """The entry of the highest epoch."""
