"""Which facts are old enough to be merged, and which merges are too old to be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.dating import depends_on_when
from context_memory.domain.facts.fact import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact

UNDONE_WITHIN = timedelta(days=30)
"""How long the facts are kept that a merged one stands for."""
_MERGED = frozenset({Tier.ARCHIVAL, Tier.CONTEXTUAL})
_MOST_ORIGINS = 24
"""Facts that one may stand for, at most, to be merged once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """Tells which facts are old at `now`: not stated again for `age`.

    Attributes:
        within: of a fact that has been old for longer than this nothing new can be told; None: of any.
    """

    now: datetime
    age: timedelta
    within: timedelta | None = None

    def mergeable(self, facts: Iterable[Fact], allowed: Callable[[str | None], bool]) -> list[Fact]:
        """Old facts that may be merged, the oldest first.

        Core facts never are, nor merged ones as long as that can be undone, nor those whose days mean what they mean
        because of when they were stated ("on 5 May").

        Args:
            facts: all of a user's.
            allowed: whether facts of a space may be merged; None names those of no space.
        """
        found = [fact for fact in facts if self._is_old(fact) and allowed(fact.source.space_id)]
        return sorted(found, key=lambda fact: (fact.last_confirmed_at, fact.id))

    def is_new(self, fact: Fact) -> bool:
        """Whether a fact has grown old only lately."""
        return self.within is None or self.now - fact.last_confirmed_at <= self.age + self.within

    def _is_old(self, fact: Fact) -> bool:
        return (
            fact.tier in _MERGED
            and self.now - fact.last_confirmed_at >= self.age
            and not can_be_undone(fact, self.now)
            and (fact.compaction is None or len(fact.compaction.origins) <= _MOST_ORIGINS)
            and not depends_on_when(fact.text)
        )


def can_be_undone(fact: Fact, now: datetime) -> bool:
    """Whether a fact is a merged one that can still be parted."""
    merged = fact.compaction
    return merged is not None and bool(merged.originals) and now < merged.at + UNDONE_WITHIN


def outlived(facts: Iterable[Fact], now: datetime) -> list[Fact]:
    """Merged facts that still hold what nobody can bring back any more."""
    return [fact for fact in facts if fact.compaction and fact.compaction.originals and not can_be_undone(fact, now)]
