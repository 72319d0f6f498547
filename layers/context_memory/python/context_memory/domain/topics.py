"""Old lines of Recent Topics become fewer: one line for several, with the stamp of the newest and the days of all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.dating import depends_on_when
from context_memory.domain.facts.compacting.grouping import LARGEST_GROUP, SHARED_WORDS, shared
from context_memory.domain.facts.compacting.merging import FEWEST, Unmerged, distorts
from context_memory.domain.language import stamps
from context_memory.domain.language.words import content_words, without_faint
from context_memory.domain.profile import Section, pin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.facts.compacting.merging import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A line with its stamp, and what it is about."""

    line: str
    at: datetime
    subject: str


def old_topics(lines: Iterable[str], *, until: datetime, pins: frozenset[str] = frozenset()) -> tuple[Topic, ...]:
    """Lines that were stamped until then and may be merged, the oldest first, no more than one call is about.

    Pinned lines are left alone, and those whose days mean what they mean because of when they were said ("on 5 May").
    None at all where no two of them speak of the same thing.
    """
    found = []
    for line in lines:
        at, subject = stamps.split(line)
        if at and at <= until and pin_of(Section.TOPICS, line) not in pins and not depends_on_when(subject):
            found.append(Topic(line=line, at=at, subject=subject))
    oldest = sorted(found, key=lambda topic: topic.at)[:LARGEST_GROUP]
    return tuple(oldest) if any(_speak_of_the_same(*pair) for pair in combinations(oldest, 2)) else ()


def fewer_topics(
    lines: Sequence[str], merges: Iterable[Merge], shown: Sequence[Topic], tokens: Callable[[str], int]
) -> tuple[str, ...]:
    """The lines with what may stand of the merges of those that were shown, each where the newest of it stood.

    Args:
        lines: all that stand, those that were shown among them.
        merges: by the numbers of `shown`, from 1.
        shown: what a model saw.
        tokens: counts a line.
    """
    left = list(lines)
    for merge in merges:
        known = merge.of <= set(range(1, len(shown) + 1)) and len(merge.of) >= FEWEST
        topics = [shown[number - 1] for number in sorted(merge.of)] if known else []
        merged = one_line(merge.text, topics) if topics else Unmerged.UNKNOWN
        if isinstance(merged, Unmerged) or any(topic.line not in left for topic in topics):
            continue
        if tokens(merged) < sum(tokens(topic.line) for topic in topics):
            *others, newest = sorted(topics, key=lambda topic: topic.at)
            left[left.index(newest.line)] = merged
            left = [line for line in left if line not in {topic.line for topic in others}]
    return tuple(left)


def one_line(text: str, topics: Sequence[Topic]) -> str | Unmerged:
    """The line that stands for several, or why the text must not."""
    if reason := distorts(text, [topic.subject for topic in topics]):
        return reason
    newest = max(topic.at for topic in topics)
    days = sorted({topic.at.date() for topic in topics} - {newest.date()})
    if not days:
        return stamps.stamped(text, newest)
    listed = ", ".join(day.isoformat() for day in days)
    body = text.removesuffix(".")
    return stamps.stamped(f"{body} ({listed}){text[len(body) :]}", newest)


def _speak_of_the_same(one: Topic, other: Topic) -> bool:
    return shared(_words(one), _words(other)) >= SHARED_WORDS


def _words(topic: Topic) -> frozenset[str]:
    return without_faint(content_words(topic.subject))
