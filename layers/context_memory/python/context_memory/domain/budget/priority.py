"""In which order bullets go when not all of them fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.profile import Section, fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from context_memory.domain.profile import Bullets

# Topics and past follow-ups go before any of these; in these the last bullet goes first.
_AFTER_THEM = (Section.SKILLS, Section.WORK, Section.FOLLOW_UPS, Section.COMMUNICATION, Section.IDENTITY)
_TOPIC, _PAST_FOLLOW_UP, _OTHER = range(3)
type _Key = tuple[int, str, int, int]


def ranks(bullets: Bullets, *, today: date, written: Mapping[tuple[Section, str], date]) -> tuple[int, ...]:
    """When each bullet goes, in the order of the file: 0 is the first to go. Pins are the caller's to look at.

    Oldest topics, past follow-ups, skills, work context, open follow-ups, communication preferences, identity.

    Args:
        bullets: the body.
        today: the day that decides which follow-ups are past.
        written: when bullets (section, folded text) were last written; what is not in it is written today.
    """
    keys = list(_keys(bullets, today, written))
    going = sorted(range(len(keys)), key=keys.__getitem__)
    rank_of = {number: rank for rank, number in enumerate(going)}
    return tuple(rank_of[number] for number in range(len(keys)))


def _keys(bullets: Bullets, today: date, written: Mapping[tuple[Section, str], date]) -> Iterator[_Key]:
    # Load never ranks, and reading dates in many languages takes time to import.
    from context_memory.domain.language import stamps  # noqa: PLC0415 - see the line above

    for number, (section, bullet) in enumerate(bullets.items()):
        if section is Section.TOPICS:
            at, _ = stamps.split(bullet)
            yield _TOPIC, at.isoformat() if at else "", 0, number
            continue
        since = written.get((section, fold(bullet)), today)
        if section is Section.FOLLOW_UPS and (last_day := _last_day(bullet, since)) < today:
            yield _PAST_FOLLOW_UP, last_day.isoformat(), 0, number
        else:
            yield _OTHER, "", _AFTER_THEM.index(section), -number


def _last_day(follow_up: str, written: date) -> date:
    """The last day a follow-up is of use: the latest it names, or the last one it is kept without naming any."""
    from context_memory.domain import housekeeping  # noqa: PLC0415 - as above
    from context_memory.domain.language import dates  # noqa: PLC0415 - as above

    return dates.latest_day(follow_up, written) or written + housekeeping.KEPT_UNDATED
