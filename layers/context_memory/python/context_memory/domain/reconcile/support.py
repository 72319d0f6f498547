"""What the evidence says: which bullets it backs, which it points at, which numbers it allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from context_memory.domain.language import words
from context_memory.domain.language.dates import dates_in
from context_memory.domain.language.inflection import Forms
from context_memory.domain.language.quantities import quantities_in, values_said
from context_memory.domain.language.synonyms import with_synonyms
from context_memory.domain.profile import Section
from context_memory.domain.reconcile.endings import Endings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.values import Grounds

COMPUTABLE = timedelta(days=400)  # how far from the turn's day a date may lie that was computed from it
_POINTED_AT_AT_MOST = 2
_POINTS_BY_ITSELF_FROM = 2
_IN_EVERY_TEXT = frozenset({"0", "1"})  # "one", "ein", "une": numbers that back nothing by themselves


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence of a turn as the rules ask it.

    Attributes:
        words: the design's E.
        digits: its numbers, times of day and amounts, those spelled in letters among them.
        said: `words` with all that means the same.
        forms: what `said` looks like without endings.
        endings: what it says has ended.
        now: the turn's time in its zone.
    """

    words: frozenset[str]
    digits: frozenset[str]
    said: frozenset[str]
    forms: Forms
    endings: Endings
    now: datetime

    @classmethod
    def of(cls, grounds: Grounds) -> Support:
        """Read the evidence once."""
        zone = _zone(grounds.time_zone)
        evidence = words.content_words(grounds.text)
        said = with_synonyms(evidence)
        return cls(
            words=evidence,
            digits=values_said(grounds.text),
            said=said,
            forms=Forms.of(said),
            endings=Endings.of(grounds.text),
            now=grounds.occurred_at.astimezone(zone),
        )

    def backs(self, fact: Fact) -> bool:
        """Whether the evidence shares a content word with a bullet; a faint one counts only if it has no other."""
        return not self.words.isdisjoint(fact.telling)

    def backs_new(self, fact: Fact) -> bool:
        """Whether a new bullet has a word in the evidence (R6), in any regular or irregular ending, or a number.

        The user says "ich koche", the bullet "kocht": endings of up to two letters may differ behind a common beginning
        of at least four, since here the doubt would cost the user's fact; German participles count too ("geduzt").
        """
        return self.names(fact) or self._shares_number(fact)

    def names(self, fact: Fact) -> bool:
        """Whether the evidence holds a telling word of a bullet in any ending."""
        return self.backs(fact) or self.says(fact.telling)

    def says(self, told: frozenset[str]) -> bool:
        """Whether the evidence holds one of these content words, in any ending, or one for the same form of answers."""
        return not self.said.isdisjoint(told) or self.forms.meet(Forms.of(told))

    def points_at(self, fact: Fact, everything: Sequence[Fact]) -> bool:
        """Whether the evidence takes a bullet away: two of its words single it out, or one together with an end.

        A negation is end enough where more than half of the bullet is denied.
        """
        told = fact.telling
        denied = _singling_out(fact, everything, self.endings.denied & told)
        return (
            len(_singling_out(fact, everything, self.words & told)) >= _POINTS_BY_ITSELF_FROM
            or 2 * len(denied) > len(told)
            or self.says_ended(fact, everything)
        )

    def says_ended(self, fact: Fact, everything: Sequence[Fact]) -> bool:
        """Whether a sentence that singles a bullet out says that it has ended, or of work and follow-ups, is done."""
        over = self.endings.ended
        if fact.section in {Section.WORK, Section.FOLLOW_UPS}:
            over |= self.endings.finished
        if fact.section is Section.FOLLOW_UPS:
            over |= self.endings.handed_over
        if fact.section is Section.COMMUNICATION:
            over |= self.endings.unwanted
        named = frozenset(word for word in fact.telling if _in_any_ending(over, word))
        return bool(_singling_out(fact, everything, named))

    def asks_to_forget(self, fact: Fact) -> bool:
        """Whether, in a turn that asks to forget, the evidence names a bullet by a telling word beyond the asking."""
        return not words.beyond_request(self.words).isdisjoint(fact.telling)

    def allows_digits(self, new: Fact, known: frozenset[str]) -> bool:
        """Whether each group of digits in `new` is in `known`, in the evidence, or computed from it or from the turn.

        An amount or a time may be written in another way than it was said ("3pm" and "15:00").
        """
        fresh = new.digits - known - self.digits
        if not fresh:
            return True
        rewritten = (found.digits for found in quantities_in(new.text) if found.value in self.digits)
        return fresh <= self._computed(new.text).union(*rewritten)

    def brings_number(self, fact: Fact, among: frozenset[str]) -> bool:
        """Whether the evidence says one of these numbers of the bullet; those that any text holds count for none."""
        rewritten = (found.digits for found in quantities_in(fact.text) if found.value in self.digits)
        said = self.digits.union(*rewritten) - _IN_EVERY_TEXT - {str(self.now.year)}
        return not said.isdisjoint(among & fact.digits)

    def _shares_number(self, fact: Fact) -> bool:
        """Whether the evidence brings a number of the bullet; every number that is said in passing is none."""
        shared = fact.digits & self.digits - _IN_EVERY_TEXT - {str(self.now.year)}
        return bool(shared) and self.allows_digits(fact, frozenset())

    def _computed(self, text: str) -> frozenset[str]:
        """Numbers of dates near the turn, of its own stamp, and of years that a number in the evidence leads to."""
        today = self.now.date()
        near = (found.digits for found in dates_in(text, today) if abs(found.day - today) <= COMPUTABLE)
        stamps = (f"{at:%Y %m %d %H %M}" for at in (self.now, self.now.astimezone(UTC)))
        distances = {0, 1, *(int(group) for group in self.digits if group.isdecimal() and len(group) <= len("100"))}
        years = {str(today.year + sign * distance) for distance in distances for sign in (-1, 1)}
        return frozenset[str]().union(*near, *map(words.digit_groups, stamps), years)


def _singling_out(fact: Fact, everything: Sequence[Fact], among: frozenset[str]) -> list[str]:
    """Words of a bullet that few bullets hold: at most two of all, a faint word no other."""
    return [
        word
        for word in among & fact.words
        if sum(word in other.words for other in everything) <= (_POINTED_AT_AT_MOST if word in fact.evident else 1)
    ]


def _in_any_ending(said: frozenset[str], word: str) -> bool:
    return word in said or Forms.of(said).meet(Forms.of(frozenset({word})))


def _zone(name: str | None) -> tzinfo:
    """The zone of that name; UTC when there is none, as with a name that a client made up."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
