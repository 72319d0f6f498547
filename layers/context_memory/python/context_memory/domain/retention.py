"""How long history is kept, and when somebody has to look for what is older."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from context_memory.domain.company_settings import Retention
    from context_memory.domain.revision import Revision

_EVERY = 25
"""Users who change more than is kept are looked after once in so many changes."""
_A_DAY = timedelta(days=1)


def outlived(
    revisions: Sequence[Revision], retention: Retention, *, current: int, now: datetime
) -> tuple[Revision, ...]:
    """Those of `revisions`, newest first and none left out, that are to go; that of the `current` version stays."""
    oldest = now - timedelta(days=retention.revision_days)
    return tuple(
        revision
        for position, revision in enumerate(revisions)
        if revision.turn_count != current and (position >= retention.revisions or revision.written_at < oldest)
    )


def last_day(retention: Retention, written_at: datetime) -> date:
    """The first day on which what was written then has outlived its days from the first minute on."""
    return (written_at + timedelta(days=retention.revision_days) + _A_DAY).date()


def tidy_day(retention: Retention, *, written_at: datetime, turn_count: int) -> date:
    """When somebody has to look at history because of a change: its last day, or sooner if there are too many."""
    if turn_count > retention.revisions and turn_count % _EVERY == 0:
        return (written_at + _A_DAY).date()
    return last_day(retention, written_at)
