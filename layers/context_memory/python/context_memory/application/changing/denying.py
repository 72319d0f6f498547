"""What the user's phrases forbid is taken out of what stands: by code, so that no model has to notice it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.deny_rules import without_denied
from context_memory.domain.editing.pins import moved_pins
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Standing
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.domain.ids import UserKey

DENIED = "deny_rule"
"""Reason of the revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOutDenied:
    """Does it as the user, whose rule it is. Pinned bullets are no exception: the newest wish counts."""

    change: Change
    facts: RewriteFacts

    def __call__(self, user: UserKey) -> int:
        """Take out what holds a phrase of the rules as they stand, and let history lose it, too.

        Returns:
            How many bullets and facts went; asked for again, it finds none.

        Raises:
            As `Change`.
        """
        facts = self.facts.take_out_denied(user)
        return facts + len(self.change(user, Writer.USER, _make).operations)


def _make(standing: Standing) -> Wanted | None:
    settings = standing.state.settings
    permitted = without_denied(standing.bullets, settings.deny_phrases)
    if permitted.same_as(standing.bullets):
        return None
    return Wanted(
        bullets=permitted,
        pins=lambda stands: moved_pins(settings.pins, standing.bullets, stands),
        reason=DENIED,
        forgets=True,
    )
