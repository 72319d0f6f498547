"""What there is to compact of a user: old facts, in groups, of spaces where it is not switched off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.grouping import groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.compacting.ageing import Old
    from context_memory.domain.facts.fact import Fact
    from context_memory.ports.companies import Switches

type Group = tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """Finds groups that a model is to be asked about."""

    switches: Switches

    def groups(self, company_id: str, facts: Sequence[Fact], old: Old, *, turn: int) -> list[Group]:
        """Groups of old facts in which one has grown old only lately: about the others a model was asked before.

        Args:
            company_id: whose facts.
            facts: all of a user's.
            old: what is old.
            turn: another one lets another group come first, so that none waits for ever behind those that cannot be
                merged.

        Raises:
            Unavailable: whether a space lets its facts be merged is unknown.
        """

        @cache
        def allowed(space_id: str | None) -> bool:
            space = None if space_id is None else self.switches.space(company_id, space_id)
            return space is None or space.recall.compaction

        found = [group for group in groups(old.mergeable(facts, allowed)) if any(map(old.is_new, group))]
        first = turn % len(found) if found else 0
        return [*found[first:], *found[:first]]
