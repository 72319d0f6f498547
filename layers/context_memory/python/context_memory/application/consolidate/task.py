"""What one chain works on, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.steps import GATE
from context_memory.domain.deny_rules import in_words
from context_memory.domain.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.domain.company_settings import Special
    from context_memory.domain.facts.heeding import Heeded
    from context_memory.domain.profile import Bullets, Profile, Section
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import FactsChange

_NO_FACTS = frozenset(
    {
        Outcome.SKIPPED_BLANK,
        Outcome.MODEL_REJECTED,
        Outcome.EXPIRED,
        Outcome.DROPPED_DISABLED,
        Outcome.DROPPED_ERASED,
        Outcome.DROPPED_SUPERSEDED,
    }
)
"""Ends of turns that hold nothing, that no model answers, or that must leave nothing behind."""


class RunApart(Exception):
    """One of several turns asks to forget: its wish must be read by its own words, not by its neighbours'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one chain works on.

    `stored` is the profile as it stands; `base` is its body after a superseded turn's changes were taken back.
    `allowed_special`: kinds that the company lets be remembered, beyond the policy.
    `scrub_whole`: written under another policy, or not by a chain. `written`: the day each bullet was last written.
    """

    stored: Profile
    base: Bullets
    turns: tuple[GatheredTurn, ...]
    now: datetime
    cap: int
    last_zone: str | None
    pins: frozenset[str]
    deny_phrases: tuple[str, ...]
    deny_kinds: tuple[str, ...]
    allowed_special: frozenset[Special]
    scrub_whole: bool
    written: Mapping[tuple[Section, str], date]
    forgotten: Callable[[str], bool]

    @property
    def deny_rules(self) -> list[str]:
        """The user's rules as the prompts show them."""
        return in_words(self.deny_phrases, self.deny_kinds)

    @property
    def allowed(self) -> list[str]:
        """The allowed kinds as the prompts want them."""
        return sorted(self.allowed_special)

    def expect_one_wish(self, *, forget: bool) -> None:
        """Let a wish to forget pass only when its turn runs alone.

        Raises:
            RunApart: it runs in company.
        """
        if forget and len(self.turns) > 1:
            raise RunApart("A wish to forget must run alone.")

    @property
    def late(self) -> bool:
        """Whether the turns are older than what the profile has seen."""
        return any(gathered.late for gathered in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a chain ended.

    Attributes:
        profile: None when nothing is to be stored.
        forgotten: texts of bullets that must not be learned again from older material.
        forget: the user asked to forget something, whether or not a bullet was found for it.
        facts: the facts that go with that wish, or with turns that these replace.
        heeded: what was made of that wish among the facts; None where there is none.
    """

    outcome: Outcome
    reason: str | None = None
    profile: Profile | None = None
    forgotten: tuple[str, ...] = ()
    forget: bool = False
    facts: FactsChange | None = None
    heeded: Heeded | None = None

    @property
    def extracts(self) -> bool:
        """Whether facts are to be extracted from the turns: the gate's NOOP holds for them, too.

        A wish to forget always is: what older turns say that wait for it must be held against it.
        """
        if self.forget:
            return True
        return not (self.outcome is Outcome.NOOP and self.reason == GATE) and self.outcome not in _NO_FACTS

    def extracts_from(self, record: TurnRecord) -> bool:
        """Whether facts are to be extracted from this turn, so that what was said in it is still needed."""
        return self.extracts and (self.forget or (record.wants_facts and record.teaches))
