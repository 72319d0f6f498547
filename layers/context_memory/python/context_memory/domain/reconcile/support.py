"""What the evidence says: which bullets it backs, which it points at, which numbers it allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from context_memory.domain import words
from context_memory.domain.dates import dates_in
from context_memory.domain.inflection import Forms
from context_memory.domain.number_words import spelled_numbers
from context_memory.domain.synonyms import with_synonyms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.values import Grounds

COMPUTABLE = timedelta(days=400)  # how far from the turn's day a date may lie that was computed from it
_POINTED_AT_AT_MOST = 2


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence of a turn as the rules ask it.

    Attributes:
        words: the design's E.
        digits: its numbers.
        said: `words` with all that means the same.
        forms: what `said` looks like without endings.
        now: the turn's time in its zone.
    """

    words: frozenset[str]
    digits: frozenset[str]
    said: frozenset[str]
    forms: Forms
    now: datetime

    @classmethod
    def of(cls, grounds: Grounds) -> Support:
        """Read the evidence once."""
        digits = words.digit_groups(grounds.text) | spelled_numbers(grounds.text)
        zone = _zone(grounds.time_zone)
        evidence = words.content_words(grounds.text)
        said = with_synonyms(evidence)
        return cls(evidence, digits, said, Forms.of(said), grounds.occurred_at.astimezone(zone))

    def backs(self, fact: Fact) -> bool:
        """Whether the evidence shares a content word with a bullet; a faint one counts only if it has no other."""
        return not self.words.isdisjoint(words.telling(fact.words))

    def backs_new(self, fact: Fact) -> bool:
        """Whether a new bullet has a word in the evidence (R6), in any regular or irregular ending.

        The user says "ich koche", the bullet "kocht": endings of up to two letters may differ behind a common beginning
        of at least four, since here the doubt would cost the user's fact; German participles count too ("geduzt").
        """
        return self.backs(fact) or self.says(words.telling(fact.words))

    def says(self, told: frozenset[str]) -> bool:
        """Whether the evidence holds one of these content words, in any ending, or one for the same form of answers."""
        return not self.said.isdisjoint(told) or self.forms.meet(Forms.of(told))

    def points_at(self, fact: Fact, everything: Sequence[Fact]) -> bool:
        """Whether a word of the evidence singles a bullet out: found in at most two of all, a faint one in no other."""
        return any(
            sum(word in other.words for other in everything) <= (1 if words.is_faint(word) else _POINTED_AT_AT_MOST)
            for word in self.words & fact.words
        )

    def asks_to_forget(self, fact: Fact) -> bool:
        """Whether, in a turn that asks to forget, the evidence shares a word with a bullet beyond the asking itself."""
        return not words.beyond_request(self.words).isdisjoint(fact.words)

    def allows_digits(self, new: Fact, known: frozenset[str]) -> bool:
        """Whether each group of digits in `new` is in `known`, in the evidence, or in a date computed from the turn."""
        fresh = new.digits - known - self.digits
        return not fresh or fresh <= self._computed(new.text)

    def _computed(self, text: str) -> frozenset[str]:
        """Numbers of dates near the turn, of its own stamp, and of years that a number in the evidence leads to."""
        today = self.now.date()
        near = (found.digits for found in dates_in(text, today) if abs(found.day - today) <= COMPUTABLE)
        stamps = (f"{at:%Y %m %d %H %M}" for at in (self.now, self.now.astimezone(UTC)))
        distances = {0, 1, *(int(group) for group in self.digits if len(group) <= len("100"))}
        years = {str(today.year + sign * distance) for distance in distances for sign in (-1, 1)}
        return frozenset[str]().union(*near, *map(words.digit_groups, stamps), years)


def _zone(name: str | None) -> tzinfo:
    """The zone of that name; UTC when there is none, as with a name that a client made up."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
