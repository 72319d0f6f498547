"""Backends of recall, and the indexes that they keep outside of the process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope, SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.recall import FactIndex, IndexedScope

MOST_READ_AT_ONCE = 2_000
"""Facts of a shared scope that a recall reads itself; what has more is found in what its writer has published."""


@dataclass(frozen=True, slots=True)
class LargeScope:
    """A shared scope that has more than `MOST_READ_AT_ONCE` facts, and the version of its head."""

    scope: SharedScope
    version: int


@dataclass(frozen=True, slots=True)
class Lags:
    """What a search has met, for whoever makes up for it.

    Attributes:
        behind: scopes whose index is of an older version than their head, or is not there; they were searched otherwise
            where that was possible, else as they were published last.
        unsearched: those of them that are large and were never published: nothing in them was found.
    """

    behind: set[FactScope] = field(default_factory=set)
    unsearched: set[FactScope] = field(default_factory=set)


class Backend(Protocol):
    """How facts are found for one user: in memory, in snapshots, in tables."""

    def over(
        self, user: UserKey, scopes: Sequence[IndexedScope], large: Sequence[LargeScope], lags: Lags | None = None
    ) -> FactIndex:
        """An index over all of these together.

        A large scope is searched as its writer has published it last: for as long as a publication takes what was
        written since may not be found. What was deleted since never is. Nothing is found in one that was never
        published. A search puts scopes that are behind, or unpublished, into `lags`.

        Raises:
            StoreUnavailable: what was published is out of reach, or what of it still stands.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexChange:
    """What one write did to the facts of a scope: it led from the version `base` to `version`."""

    scope: FactScope
    base: int
    version: int
    puts: Sequence[Fact] = ()
    drops: Sequence[str] = ()
    epoch: int = 0


class PublishedIndex(Protocol):
    """An index of a scope outside of the process, made by whoever writes the scope's facts.

    It never says more than the store: a reader takes nothing of a user's out of one that stands at another version.
    """

    def change(self, change: IndexChange) -> bool:
        """Bring one write in; one that leads from a version to itself only asks whether the index has come so far.

        Returns:
            Whether the index has come so far; if not, it must be replaced.

        Raises:
            StoreUnavailable: it may or may not have been brought in; doing it again does no harm.
        """

    def replace(self, scope: IndexedScope) -> None:
        """Make the index anew of all facts of a scope; one that has come further is left alone.

        Raises:
            StoreUnavailable: as `change`.
        """
