"""Moving past facts from one user of a company to another, and back again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.links import Provider

UNDONE_WITHIN = timedelta(days=30)
"""How long a merge can be undone."""
KEPT = UNDONE_WITHIN + timedelta(days=2)
"""How long what that takes is kept: an undoing that was asked for in time has time to end."""


class MergeStatus(StrEnum):
    """How far a merge is."""

    ASKED = "asked"
    MOVING = "moving"
    MERGED = "merged"
    DROPPING = "dropping"
    """Somebody was erased meanwhile: what is under way goes back."""
    DROPPED = "dropped"
    UNDO_ASKED = "undo_asked"
    RETURNING = "returning"
    """The source gets back what it gave."""
    CLEARING = "clearing"
    """The target gives up what the source has back."""
    UNDONE = "undone"
    KEPT = "kept"
    """Not undone: somebody was erased since, and nothing comes back from the dead."""


AT_REST = frozenset({MergeStatus.MERGED, MergeStatus.DROPPED, MergeStatus.UNDONE, MergeStatus.KEPT})
"""Nothing is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Facts of `source` become facts of `target`.

    Attributes:
        provider: the link that it was asked for with.
        all_facts: every fact of the source; otherwise those that were learned through the provider.
        source_epoch, target_epoch: of both memories when it began; None before.
        moved: facts that the target was given or that were confirmed there.
        left_behind: facts that found no room, or that the target does not want, and stayed where they were.
        returned: facts that went back.
        version: counts its changes.
    """

    company_id: str
    merge_id: str
    provider: Provider
    source_id: str
    target_id: str
    all_facts: bool
    asked_at: datetime
    status: MergeStatus = MergeStatus.ASKED
    source_epoch: int | None = None
    target_epoch: int | None = None
    moved: int = 0
    left_behind: int = 0
    returned: int = 0
    version: int = 1

    @property
    def source(self) -> UserKey:
        """Whom the provider left, or whose facts were asked for."""
        return UserKey(self.company_id, self.source_id)

    @property
    def target(self) -> UserKey:
        """To whom the provider belongs."""
        return UserKey(self.company_id, self.target_id)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way."""
        return self.status in AT_REST

    def takes(self, fact: Fact) -> bool:
        """Whether a fact of the source is among those that move."""
        return self.all_facts or fact.source.provider == self.provider.spelled

    def now(self, status: MergeStatus) -> Merge:
        """The merge one step on."""
        return replace(self, status=status, version=self.version + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeMark:
    """What the target keeps of a fact that a merge brought: no word of it.

    Attributes:
        fact_id: the fact's id at the target.
        stood: it stood there already and was confirmed.
        print: of the fact as it was put (`print_of`).
    """

    fact_id: str
    stood: bool
    print: str

    def is_untouched(self, fact: Fact) -> bool:
        """Whether the target's fact is what the merge made of it, so that it goes when the merge is undone."""
        return not self.stood and self.print == print_of(fact)


def print_of(fact: Fact) -> str:
    """A hash of all that somebody can change about a fact; being cited is no change."""
    parts = (fact.text, fact.tier.value, fact.last_confirmed_at.isoformat(), *fact.keywords)
    past = (part for one in fact.supersedes for part in (one.id, one.text))
    return hashlib.sha256("\0".join((*parts, "", *past)).encode()).hexdigest()


def is_remembered(fact_id: str, facts: Iterable[Fact]) -> bool:
    """Whether a fact stands among these, or in the history of one of them, or was merged into one."""
    return any(fact_id in _ids_behind(fact) for fact in facts)


def _ids_behind(fact: Fact) -> Iterator[str]:
    yield fact.id
    yield from (past.id for past in fact.supersedes)
    yield from (origin.id for origin in (fact.compaction.origins if fact.compaction else ()))
