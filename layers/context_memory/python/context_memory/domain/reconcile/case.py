"""One profile and one turn, as every rule looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.pairing import facts
from context_memory.domain.profile import pin_of
from context_memory.domain.reconcile.support import Support

if TYPE_CHECKING:
    from context_memory.domain.pairing import Fact
    from context_memory.domain.profile import Bullets
    from context_memory.domain.reconcile.values import Grounds, Rules


@dataclass(frozen=True, slots=True)
class Case:
    """What stood before, and what may happen to it.

    Attributes:
        base: the old bullets in order.
        pins: those of them that are pinned.
        support: what the evidence says.
        may_forget: whether bullets may go because the user asks.
        may_overwrite: whether bullets may change or go for any other reason.
    """

    base: tuple[Fact, ...]
    pins: frozenset[Fact]
    support: Support
    may_forget: bool
    may_overwrite: bool

    @classmethod
    def of(cls, base: Bullets, grounds: Grounds, rules: Rules, *, additions_only: bool) -> Case:
        """Read profile and turn once."""
        before = facts(base)
        return cls(
            base=before,
            pins=frozenset(fact for fact in before if pin_of(fact.section, fact.text) in rules.pinned),
            support=Support.of(grounds),
            may_forget=grounds.forget and not additions_only,
            may_overwrite=not grounds.late and not additions_only,
        )

    @property
    def unpinned(self) -> tuple[Fact, ...]:
        """The old bullets that are not pinned."""
        return tuple(fact for fact in self.base if fact not in self.pins)
