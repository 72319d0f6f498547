"""Telling the world what became of a user's turns and of other changes: what the table says is not told yet, is told.

What has to go out stands in the table, written by the very transaction that it tells of, until the bus has taken it:
whenever a process dies, whoever comes next publishes it, perhaps again. So everything is told at least once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.application.steps import changed_step, updating_step
from context_memory.domain.news import News, NewsKind, counts_of
from context_memory.domain.outcomes import TurnStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from context_memory.domain.ids import UserKey
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenChange, UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.news import NewsStand
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_MOST_TURNS = 10
"""Turns that one piece of news tells of: as many as run together, so that an event stays far below its largest size."""
_TOLD = frozenset({TurnStatus.DONE, TurnStatus.DEAD})


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Publishes what is untold of one user, and strikes it."""

    table: UserTable
    news: NewsStand
    clock: Clock
    telemetry: Telemetry

    def __call__(self, user: UserKey, state: UserState) -> None:
        """Tell everything that `state` holds untold; nothing is asked or written when that is nothing.

        Raises:
            Unavailable: it is not known to be out; it stays untold.
        """
        if not (state.untold or state.open_changes):
            return
        records = [self.table.turn(user, turn.turn_id) for turn in state.untold]
        # A turn that is gone has nothing to tell; one that was given another life has not ended yet.
        known = [record for record in records if record is not None and record.status in _TOLD]
        news = [*self._of_turns(user, known), *self._of_changes(user, state.open_changes)]
        self.news.publish(news)
        for piece in news:
            self.telemetry.count("news_total", kind=piece.kind.value)
        self.table.told(user, state.untold, state.open_changes)

    def _of_turns(self, user: UserKey, records: Iterable[TurnRecord]) -> Iterator[News]:
        together: dict[tuple[object, ...], list[TurnRecord]] = {}
        for record in records:
            alike = record.epoch, record.status, record.outcome, record.reason, record.revision
            together.setdefault(alike, []).append(record)
        for group in together.values():
            for few in batched(group, _MOST_TURNS, strict=False):
                yield self._of_group(user, few)

    def _of_group(self, user: UserKey, turns: tuple[TurnRecord, ...]) -> News:
        """News of turns that ended alike: with the same revision, or for the same reason without one."""
        record = turns[-1]
        revision = None if record.revision is None else self.table.revision(user, record.epoch, record.revision)
        return News(
            kind=_kind(record),
            user=user,
            epoch=record.epoch,
            at=record.finished_at or self.clock.now(),
            turn_ids=tuple(turn.turn_id for turn in turns),
            outcome=record.outcome,
            reason=record.reason,
            writer=revision.writer if revision else None,
            revision=record.revision,
            counts=counts_of(revision.operations if revision else ()),
            step=updating_step(record.status, record.outcome, record.reason, stored=record.revision is not None),
        )

    def _of_changes(self, user: UserKey, changes: Iterable[OpenChange]) -> Iterator[News]:
        for change in changes:
            if revision := self.table.revision(user, change.epoch, change.turn_count):
                yield _of_revision(user, revision)


def _kind(record: TurnRecord) -> NewsKind:
    """A stored change is one, also where the turn's own wish failed, as its outcome and its step say."""
    if record.revision is not None:
        return NewsKind.UPDATED
    return NewsKind.UNCHANGED if record.outcome is not None and record.outcome.success else NewsKind.FAILED


def _of_revision(user: UserKey, revision: Revision) -> News:
    return News(
        kind=NewsKind.UPDATED,
        user=user,
        epoch=revision.epoch,
        at=revision.written_at,
        reason=revision.reason,
        writer=revision.writer,
        revision=revision.turn_count,
        counts=counts_of(revision.operations),
        step=changed_step(),
    )
