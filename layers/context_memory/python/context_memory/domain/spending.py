"""What a company may spend on the model in a day of UTC, and what changes as it nears the end of that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date


class Step(StrEnum):
    """Steps of the ladder, in the order in which a day goes down them.

    `saving`: the small model answers the gate, and is always asked. Whatever matters is consolidated all the same.
    `paused`: no turn is started. Turns stay open, in their order and with their attempts, until the day is over.
    """

    FULL = "full"
    SAVING = "saving"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBudget:
    """Model tokens, input and output, that a company may use on one day; from `saving_share` of them on it saves."""

    daily_tokens: int
    saving_share: float

    def step(self, used: int) -> Step:
        """The step of a company that has used so many tokens today."""
        if used >= self.daily_tokens:
            return Step.PAUSED
        return Step.SAVING if used >= self.daily_tokens * self.saving_share else Step.FULL

    def allowing(self, daily_tokens: int | None) -> DailyBudget:
        """This budget with the tokens that the operator allows instead; None leaves it as it is."""
        return self if daily_tokens is None else replace(self, daily_tokens=daily_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a company stands today; `used` is None when nobody knows, and then the step is `full`."""

    daily_tokens: int
    used: int | None
    step: Step
    resets_at: datetime


def day_of(at: datetime) -> date:
    """The day of UTC to whose budget a moment belongs."""
    return at.astimezone(UTC).date()


def resets_at(at: datetime) -> datetime:
    """The moment at which the budget of that day gives way to the next."""
    return datetime.combine(day_of(at) + timedelta(days=1), time(), UTC)
