"""What code alone decides: the stamps and the number of Recent Topics, the end of Follow-ups."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from context_memory.domain.language import stamps
from context_memory.domain.language.dates import latest_day
from context_memory.domain.pairing import Fact, key_of
from context_memory.domain.profile import Bullets, Section, fold, pin_of
from context_memory.domain.reconcile.losses import TOPICS_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from context_memory.domain.tokens import Tokenizer

TOPICS_SHARE_OF_CAP = 4
KEPT_AFTER_DATE = timedelta(days=14)
KEPT_UNDATED = timedelta(days=90)
_OLDEST = ""


def stamp_topics(base: Bullets, new: Bullets, occurred_at: datetime) -> Bullets:
    """Give each new or changed topic the stamp of the turn, in place of what the model wrote there.

    A subject that stands already is dated anew and not repeated (a late turn does not date it back); the newest line is
    the last. Without a new topic nothing changes, whatever stands.

    Args:
        base: the body as it was stored.
        new: the body that will be.
        occurred_at: aware time of the turn.
    """
    known = {fold(line) for line in base.topics}
    if all(fold(line) in known for line in new.topics):
        return new
    lines: dict[str, str] = {}
    for line in new.topics:
        subject = stamps.split(line)[1]
        stamped = line if fold(line) in known else stamps.stamped(subject, occurred_at)
        same = next((key for key in lines if _is_same_subject(key, subject)), key_of(subject))
        lines[same] = max(lines.get(same, stamped), stamped, key=_age)
    return new.with_section(Section.TOPICS, sorted(lines.values(), key=_age))


def limit_topics(
    bullets: Bullets, *, cap_tokens: int, tokenizer: Tokenizer, pinned: frozenset[str] = frozenset()
) -> Bullets:
    """Keep the newest topics: at most 20 lines, and no more tokens than a quarter of the profile's cap.

    Pinned lines stay and count; the newest line stays however long it is. `cap_tokens` is the cap of the whole profile.
    """
    left = cap_tokens // TOPICS_SHARE_OF_CAP
    kept: set[int] = set()
    newest_first = sorted(range(len(bullets.topics)), key=lambda at: (_age(bullets.topics[at]), at), reverse=True)
    pins = [at for at in newest_first if pin_of(Section.TOPICS, bullets.topics[at]) in pinned]
    for at in (*pins, *(at for at in newest_first if at not in pins)):
        left -= tokenizer.count(f"- {bullets.topics[at]}\n")
        if kept and at not in pins and (len(kept) >= TOPICS_LIMIT or left < 0):
            break
        kept.add(at)
    return bullets.with_section(Section.TOPICS, (line for at, line in enumerate(bullets.topics) if at in kept))


def expire_follow_ups(
    bullets: Bullets, written: Mapping[tuple[Section, str], date], today: date, pinned: frozenset[str]
) -> Bullets:
    """Let follow-ups go 14 days after the latest date they name, or 90 days after they were last written.

    Args:
        bullets: the body that is about to be stored.
        written: day of last writing by section and folded text; what is absent is written today.
        today: the day of the turn.
        pinned: `profile.pin_of` of pinned bullets, which stay.
    """
    kept = (
        text
        for text in bullets.follow_ups
        if pin_of(Section.FOLLOW_UPS, text) in pinned
        or today <= _end(text, written.get((Section.FOLLOW_UPS, fold(text)), today))
    )
    return bullets.with_section(Section.FOLLOW_UPS, kept)


def _end(follow_up: str, written: date) -> date:
    """The last day of a follow-up."""
    due = latest_day(follow_up, written)
    return due + KEPT_AFTER_DATE if due else written + KEPT_UNDATED


def _is_same_subject(one: str, other: str) -> bool:
    first, second = Fact.of(Section.WORK, 0, one), Fact.of(Section.WORK, 0, other)
    said_alike = first.words == second.words and first.digits == second.digits
    return first.key == second.key or (bool(first.words) and said_alike)


def _age(line: str) -> str:
    """Sorts as time does; a line without stamp is older than any with one."""
    at, _ = stamps.split(line)
    return at.isoformat() if at else _OLDEST
