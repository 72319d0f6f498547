"""Facts for tests, with all that a test does not care about filled in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from context_memory.domain.facts.fact import Fact, Tier, fact_id
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from context_memory.domain.facts.scopes import FactScope

LENA: Final = UserScope(UserKey("acme", "lena"))
SALES: Final = SharedScope("acme", "sales")
COMPANY: Final = SharedScope("acme")
NOON: Final = datetime(2026, 6, 17, 12, tzinfo=UTC)


def a_fact(text: str, scope: FactScope = LENA, **more: Any) -> Fact:  # noqa: ANN401 - whatever a fact has
    """A contextual fact of four tokens, stated on 17 June 2026."""
    filled: dict[str, Any] = {
        "tier": Tier.CONTEXTUAL,
        "tokens": 4,
        "created_at": NOON,
        "last_confirmed_at": NOON,
    } | more
    return Fact(id=fact_id(scope, text), text=text, **filled)
