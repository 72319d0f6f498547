"""Which facts are worth least: those go first when a user has more of them than their company lets stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from context_memory.domain.facts.fact import Fact

_RANKS = {Tier.EPHEMERAL: 0, Tier.ARCHIVAL: 1, Tier.CONTEXTUAL: 2, Tier.CORE: 3}


def by_worth(facts: Iterable[Fact]) -> list[Fact]:
    """Facts in the order in which they go, core facts last.

    Within a tier counts how much earlier than the newest of them one was last stated; each use makes up for as much
    time again: cited nine times, a fact counts as one that was stated in a tenth of the time.
    """
    compared = list(facts)
    newest = max((fact.last_confirmed_at for fact in compared), default=None)
    return [] if newest is None else sorted(compared, key=lambda fact: _worth(fact, newest))


def _worth(fact: Fact, newest: datetime) -> tuple[int, float, int, datetime, str]:
    age = (newest - fact.last_confirmed_at).total_seconds()
    return _RANKS[fact.tier], -age / (1 + fact.uses), fact.uses, fact.created_at, fact.id
