"""The order in which finds are told: by score, then by when they were last confirmed, identical texts once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import normalised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.recall.match import Match


def ranked(found: Iterable[Match], limit: int) -> list[Match]:
    """The best finds, the best first; of identical texts the best one."""
    order = sorted(found, key=lambda match: match.fact.id)
    order.sort(key=lambda match: (match.score, match.fact.last_confirmed_at), reverse=True)
    once: dict[str, Match] = {}
    for match in order:
        if len(once) == limit:
            break  # folding the texts of all others would take time for nothing
        once.setdefault(normalised(match.fact.text), match)
    return list(once.values())
