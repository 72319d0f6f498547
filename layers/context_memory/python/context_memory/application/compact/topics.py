"""Old topics of a user's profile become fewer: one call of the model, checked by code, stored as any change is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.application.compact.proposing import Proposing
from context_memory.domain.errors import (
    CallBudgetSpent,
    Contended,
    ModelRejected,
    ProfileConflict,
    ProfileUnreadable,
    SchemaNewer,
    kind_of,
)
from context_memory.domain.profile import Section
from context_memory.domain.topics import fewer_topics, old_topics
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.facts.compacting.ageing import Old
    from context_memory.domain.facts.compacting.merging import Merge
    from context_memory.domain.ids import UserKey
    from context_memory.domain.topics import Topic
    from context_memory.ports.telemetry import Telemetry

OLD_TOPICS = "old_topics"
"""Reason of the revision, by which the merge can be undone as long as revisions are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldTopics:
    """Topics that a model is to be asked about, and what they stood in."""

    standing: Standing
    topics: tuple[Topic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTopics:
    """Merges lines of Recent Topics. `tokens` counts a text."""

    change: Change
    model: str
    tokens: Callable[[str], int]
    telemetry: Telemetry

    def look(self, user: UserKey, old: Old) -> OldTopics | None:
        """What there is to merge; None where there is nothing, or nothing new since a model was asked last.

        Raises:
            MemorySwitchedOff, EraseRunning: there is no memory.
            Unavailable: nobody knows.
        """
        try:
            standing = self.change.look(user)
        except (ProfileUnreadable, SchemaNewer) as error:  # whose topics these are is looked into elsewhere
            self.telemetry.warning("topics could not be looked at", error_type=type(error).__name__)
            return None
        until, pins = old.now - old.age, standing.state.settings.pins
        topics = old_topics(standing.bullets.topics, until=until, pins=pins)
        fresh = old.within is None or any(until - topic.at <= old.within for topic in topics)
        return OldTopics(standing=standing, topics=topics) if topics and fresh else None

    def merge(self, user: UserKey, old: OldTopics, calls: Calls) -> int:
        """Ask, and store what may stand of the answer.

        Returns:
            How many lines are fewer.

        Raises:
            MemorySwitchedOff, EraseRunning: there is nothing to write to.
            Unavailable: nothing was stored, or it is unknown whether it was: what stands tells.
        """
        asked_before = len(calls.usage)
        try:
            merges = Proposing(calls=calls, model=self.model).propose([topic.subject for topic in old.topics])
            fewer = self._store(user, old, merges or (), calls, asked_before)
        except (ModelRejected, CallBudgetSpent, ProfileConflict, Contended) as error:  # another walk looks again
            return self._told("error", 0, kind_of(error))
        if merges is None:
            return self._told("malformed", 0)
        return self._told("compacted" if fewer else "refused" if merges else "nothing", fewer)

    def _store(self, user: UserKey, old: OldTopics, merges: Sequence[Merge], calls: Calls, asked_before: int) -> int:
        bullets, pointer = old.standing.bullets, old.standing.base.pointer
        lines = fewer_topics(bullets.topics, merges, old.topics, self.tokens)
        if lines == bullets.topics or pointer is None:
            return 0
        wanted = Wanted(
            bullets=bullets.with_section(Section.TOPICS, lines),
            reason=OLD_TOPICS,
            # Nothing is in it that was not in what stood; so it is as checked as that was.
            policy_version=pointer.policy_version,
            truncated=old.standing.base.profile.truncated,
        )
        expected = frozenset({old.standing.version})
        foreseen = self.change.preview(user, Writer.CONDENSATION, lambda _: wanted, expected=expected)
        if foreseen.dropped or foreseen.cut:  # what must not be stored must not take others along
            return 0
        self.change(
            user,
            Writer.CONDENSATION,
            lambda _: wanted,
            expected=expected,
            model=self.model,
            usage=tuple(calls.usage[asked_before:]),
        )
        return len(bullets.topics) - len(lines)

    def _told(self, outcome: str, fewer: int, error: str | None = None) -> int:
        self.telemetry.count("compaction_total", outcome=outcome)
        fields = {"error": error} if error else {}
        self.telemetry.event("looked at old topics", outcome=outcome, fewer=fewer, **fields)
        return fewer
