"""R3: what explains that an old bullet is gone.

Readings, where the rule leaves one: a new bullet explains one loss, the likest; and a new topic explains none, for the
log's lines are independent of each other. A new bullet that shares no word with the lost one explains the loss only if
it stands in its place, before all that stood behind it, and never among skills and follow-ups, which stand beside each
other: a model that appends one fact and drops another has replaced nothing. Nor does it explain the loss when it leaves
out most of what the lost one told (`changes.keeps_enough`). One word that evidence and bullet share explains nothing
without a sign that something ended (`endings`): questions on a subject name it as well. Under FORGET, where the
evidence names none of the bullets that the model took out ("forget my diet" and "Vegetarian."), up to two of them are
taken at the model's word: a wish without effect is the worse fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.language import stamps
from context_memory.domain.language.dates import latest_day
from context_memory.domain.language.words import word_set
from context_memory.domain.pairing import STAND_BESIDE_EACH_OTHER, in_place
from context_memory.domain.profile import Section
from context_memory.domain.reconcile.changes import keeps_enough

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from context_memory.domain.pairing import Fact, Pairing
    from context_memory.domain.reconcile.case import Case

TOPICS_LIMIT = 20
_TAKEN_AT_THE_MODELS_WORD = 2


@dataclass(frozen=True, slots=True)
class Losses:
    """What the rules say of old bullets that vanished.

    Attributes:
        forgotten: gone because the user asked.
        unexplained: put back.
        kept_pins: pinned ones that the turn gave reason to drop; they stay.
        contradicting: new bullets that would have taken a pinned one's place.
    """

    forgotten: tuple[Fact, ...]
    unexplained: tuple[Fact, ...]
    kept_pins: tuple[Fact, ...]
    contradicting: frozenset[Fact]


def explain(case: Case, pairing: Pairing, additions: Sequence[Fact]) -> Losses:
    """Look for the reason of every loss: the user's wish, the evidence, age, a successor; in this order."""
    support = case.support

    def takes_place(old: Fact, new: Fact) -> bool:
        return _takes_place(pairing, old, new)

    def succeeds(old: Fact, new: Fact) -> bool:
        elsewhere = frozenset[str]().union(*(other.words for other in additions if other is not new))
        # Whoever asks to forget may leave as little of a bullet as they like.
        return takes_place(old, new) and (case.may_forget or keeps_enough(old, new, elsewhere, support))

    missing = [old for old in case.base if old not in pairing.partner]
    named = [old for old in missing if case.may_forget and support.asks_to_forget(old)]
    rest = [old for old in missing if old not in named]
    taking_place: dict[Fact, Fact] = {}
    if case.may_overwrite:
        rest = [old for old in rest if not _is_explained(case, old, additions)]
        # Pinned bullets come last: a new bullet contradicts one only if it can stand for no other.
        backed = [new for new in additions if support.backs(new)]
        taking_place = successors([old for old in rest if old not in case.pins], backed, succeeds)
        idle = [new for new in backed if new not in taking_place.values()]
        taking_place |= successors([old for old in rest if old in case.pins], idle, takes_place)
        rest = [old for old in rest if old not in taking_place]
    if case.may_forget and not named and len(rest) <= _TAKEN_AT_THE_MODELS_WORD:
        named, rest = rest, []
    pinned_successors = (new for old, new in taking_place.items() if old in case.pins)
    return Losses(
        forgotten=tuple(old for old in named if old not in case.pins),
        unexplained=tuple(rest),
        kept_pins=tuple(old for old in missing if old in case.pins and old not in rest),
        contradicting=frozenset(pinned_successors),
    )


def _any(_old: Fact, _new: Fact) -> bool:
    return True


def successors(
    lost: Sequence[Fact], new: Iterable[Fact], fits: Callable[[Fact, Fact], bool] = _any
) -> dict[Fact, Fact]:
    """For each new bullet the one lost bullet of its section that it stands for, of those that fit: lost → new."""
    found: dict[Fact, Fact] = {}
    for fresh in new:
        rivals = [old for old in lost if old.section is fresh.section and old not in found and fits(old, fresh)]
        if fresh.section is not Section.TOPICS and rivals:
            said = word_set(fresh.text)
            found[max(rivals, key=lambda old: len(said & word_set(old.text)))] = fresh
    return found


def _takes_place(pairing: Pairing, lost: Fact, new: Fact) -> bool:
    """Whether a new bullet of the same section says something else of the lost one's matter, or stands in its place."""
    if not lost.words.isdisjoint(new.evident if lost.section in STAND_BESIDE_EACH_OTHER else new.words):
        return True
    return lost.section not in STAND_BESIDE_EACH_OTHER and in_place(pairing.partner, lost, new)


def _is_explained(case: Case, lost: Fact, additions: Sequence[Fact]) -> bool:
    """Whether the evidence points at a lost bullet, or it is a topic beyond the limit or a follow-up past its day.

    Age is no reason against a pinned bullet.
    """
    if case.support.points_at(lost, case.base):
        return True
    if lost in case.pins:
        return False
    if _is_over(case, lost):
        return True
    if lost.section is Section.TOPICS:
        lines = sorted((fact for fact in case.base if fact.section is Section.TOPICS), key=_age)
        beyond = len(lines) + sum(fact.section is Section.TOPICS for fact in additions) - TOPICS_LIMIT
        return lost in lines[: max(beyond, 0)]
    return False


def all_over(case: Case) -> bool:
    """Whether the user says of each bullet that it has ended, or it is a follow-up past its day: nothing need stay."""
    return case.may_overwrite and all(_is_over(case, old) for old in case.unpinned)


def _is_over(case: Case, old: Fact) -> bool:
    if case.support.says_ended(old, case.base):
        return True
    if old.section is not Section.FOLLOW_UPS:
        return False
    today = case.support.now.date()
    due = latest_day(old.text, today)
    only_one = sum(fact.section is Section.FOLLOW_UPS for fact in case.base) == 1
    return (due is not None and due < today) or (only_one and case.support.endings.just_done)


def _age(topic: Fact) -> tuple[bool, str]:
    at, _ = stamps.split(topic.text)
    return at is not None, at.isoformat() if at else ""
