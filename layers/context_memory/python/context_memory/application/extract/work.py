"""What one run works on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.extract.gathered import grounds_of
from context_memory.domain.deny_rules import in_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.asking.deadline import Deadline
    from context_memory.application.extract.gathered import Gathered
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.facts.sources import Said
    from context_memory.domain.ids import UserKey
    from context_memory.domain.reconcile import Grounds
    from context_memory.domain.state import UserSettings, UserState
    from context_memory.ports.facts import PendingExtraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Turns that run together, in order, and all that is set for them.

    Attributes:
        wishes: asks what later turns, still pending, want forgotten.
    """

    user: UserKey
    state: UserState
    flags: CompanyFlags
    turns: tuple[Gathered, ...]
    wishes: Callable[[], tuple[Grounds, ...]]
    deadline: Deadline

    def of(self, turns: tuple[Gathered, ...]) -> Work:
        """The same for some of the turns."""
        return replace(self, turns=turns)

    @property
    def settings(self) -> UserSettings:
        """The user's."""
        return self.state.settings

    @property
    def pending(self) -> list[PendingExtraction]:
        """The extractions that this ends."""
        return [gathered.pending for gathered in self.turns]

    @property
    def said(self) -> list[Said]:
        """What facts may rest on, turn by turn."""
        return [gathered.said for gathered in self.turns]

    @property
    def grounds(self) -> Grounds:
        """The same of all turns together."""
        return grounds_of(self.turns, self.state.last_time_zone)

    @property
    def deny_rules(self) -> list[str]:
        """The user's rules as the prompts show them."""
        return in_words(self.settings.deny_phrases, self.settings.deny_kinds)

    @property
    def allowed_special(self) -> list[str]:
        """Kinds that the company lets be remembered, as the prompts want them."""
        return sorted(self.flags.allowed_special)
