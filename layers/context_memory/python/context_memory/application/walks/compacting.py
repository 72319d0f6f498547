"""Merging a company's old facts and old topics into fewer ones, user by user, a few calls of the model for each.

What is left to do is read from the facts themselves: whoever dies here has merged some groups, and the next one finds
the others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.compact.merging import Merging
from context_memory.application.compact.proposing import Proposing
from context_memory.application.compact.storing import Storing
from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.errors import Contended, EraseRunning, MemorySwitchedOff
from context_memory.domain.facts.compacting.ageing import Old, outlived
from context_memory.domain.facts.compacting.parting import without_originals
from context_memory.domain.walks import Line
from context_memory.ports.facts import MOST_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from context_memory.application.compact.looking import Group, Looking
    from context_memory.application.compact.topics import MergeTopics
    from context_memory.application.facts.shelves import Standing
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.following.asking import Asking
    from context_memory.domain.ids import UserKey
    from context_memory.domain.walks import Walk

GROWN_OLD_WITHIN = "grown_old_within_days"
"""The parameter of a walk of the schedule: groups in which nothing has grown old so lately were asked about before."""
CALLS = 3
"""Groups of facts that one walk asks about, for each user; one more call is about old topics."""
_SECONDS = 25.0
"""What one user may take: `maintain` keeps back little more of its time for the user who is met last."""
_ANYWHERE = Asked(web_search=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactUser:
    """The step of the walk `compact`. Results: `compacted`, `would_ask`, `unchanged`, `nothing`, `paused`, `off`.

    Attributes:
        shelf: gives a user's facts.
        looking: finds groups of old ones.
        topics: does the same to the topics of their profile.
        age: how long facts have not been stated again that are merged.
        model: asked for merges.
        tokens: counts a text.
    """

    shelf: Callable[[UserKey], UserShelf]
    looking: Looking
    topics: MergeTopics
    asking: Asking
    age: timedelta
    model: str
    tokens: Callable[[str], int]

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Merge some of a user's old facts, or say for how many groups a model would be asked."""
        shelf = self.shelf(user)
        try:
            standing = shelf.look(())
            if not walk.dry_run:
                standing = self._without_outlived(shelf, standing)
            return self._compact(user, walk, shelf, standing)
        except (MemorySwitchedOff, EraseRunning):
            return _unlisted(user, "off")

    def _compact(self, user: UserKey, walk: Walk, shelf: UserShelf, standing: Standing) -> Line:
        flags = self.asking.switches.flags(user.company_id)
        if disabled_reason(flags, None, None, _ANYWHERE):
            return _unlisted(user, "off")
        old = self._old(walk)
        groups, topics = self._groups(user, walk, standing, old), self.topics.look(user, old)
        if not (groups or topics):
            return _unlisted(user, "nothing")
        if walk.dry_run:
            details = {"groups": len(groups)} | ({"topics": len(topics.topics)} if topics else {})
            return Line(user_id=user.user_id, result="would_ask", details=details)
        if self.asking.ladder.paused(user.company_id, flags.daily_tokens):
            return _unlisted(user, "paused")
        with self.asking.calls(user, _SECONDS) as calls:
            merged = Merging(
                proposing=Proposing(calls=calls, model=self.model),
                storing=Storing(shelf=shelf, tokens=self.tokens, clock=self.asking.clock),
                telemetry=self.asking.telemetry,
            ).merge(groups[:CALLS])
            fewer = self.topics.merge(user, topics, calls) if topics else 0
        details = {"groups": merged.groups, "facts": merged.facts, "into": merged.into}
        if topics:
            details["topics"] = fewer
        return Line(user_id=user.user_id, result="compacted" if merged.facts or fewer else "unchanged", details=details)

    def _old(self, walk: Walk) -> Old:
        days = _parameters(walk).get(GROWN_OLD_WITHIN)
        within = None if days is None else timedelta(days=days)
        return Old(now=self.asking.clock.now(), age=self.age, within=within)

    def _groups(self, user: UserKey, walk: Walk, standing: Standing, old: Old) -> Sequence[Group]:
        return self.looking.groups(user.company_id, standing.facts.facts, old, turn=walk.asked_at.toordinal())

    def _without_outlived(self, shelf: UserShelf, standing: Standing) -> Standing:
        """Let go of what merged facts were made of, once nobody can bring it back any more.

        Raises:
            Contended: others keep writing; the next walk does it.
        """
        now = self.asking.clock.now()
        puts = without_originals(outlived(standing.facts.facts, now))[:MOST_CHANGES]
        if not puts:
            return standing
        try:
            head = shelf.write(standing, puts, frozenset(), at=now)
        except Overtaken as race:
            raise Contended("Others keep changing these facts.") from race
        return standing.with_facts(head, puts)


def _parameters(walk: Walk) -> Mapping[str, int]:
    parameters: Mapping[str, int] = json.loads(walk.parameters)
    return parameters


def _unlisted(user: UserKey, result: str) -> Line:
    return Line(user_id=user.user_id, result=result, listed=False)
