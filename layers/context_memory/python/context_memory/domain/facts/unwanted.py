"""What a user does not want to have, whoever brings it: what their phrases forbid, and what they asked to forget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwanted:
    """What one user has laid down.

    Attributes:
        phrases: words that nothing may hold.
        forgotten: whether the user asked to forget a text after the moment at which it was stated.
    """

    phrases: tuple[str, ...]
    forgotten: Callable[[str, datetime], bool]

    def forbids(self, fact: Fact) -> bool:
        """Whether the user wants no such fact."""
        said = (fact.text, *fact.keywords)
        return any(is_denied(one, self.phrases) for one in said) or self.forgotten(fact.text, fact.last_confirmed_at)

    def without(self, fact: Fact) -> Fact:
        """The fact without those pieces of its history that the user wants no more."""
        kept = tuple(
            past
            for past in fact.supersedes
            if not (is_denied(past.text, self.phrases) or self.forgotten(past.text, past.replaced_at))
        )
        without = fact if kept == fact.supersedes else replace(fact, supersedes=kept)
        merged = fact.compaction
        if merged is None or not any(map(self.forbids, merged.originals)):
            return without
        originals = tuple(one for one in merged.originals if not self.forbids(one))
        return replace(without, compaction=replace(merged, originals=originals))
