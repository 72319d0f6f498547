from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.company_settings import Retention
from context_memory.domain.retention import last_day, outlived, tidy_day
from context_memory.domain.writers import Writer
from tests.support.histories import BEGINNING, History


def history(number: int) -> History:
    """One revision a day."""
    written = History()
    for _ in range(number):
        written.write(written.bullets, Writer.USER)
    return written


def trimmed(number: int, retention: Retention, *, days_later: float) -> list[int]:
    newest_first = tuple(reversed(history(number).revisions))
    now = BEGINNING + timedelta(days=number - 1 + days_later)
    return [one.turn_count for one in outlived(newest_first, retention, current=number, now=now)]


def test_what_is_older_than_its_days_goes() -> None:
    assert trimmed(5, Retention(revision_days=2), days_later=0.5) == [3, 2, 1]


def test_what_is_one_too_many_goes() -> None:
    assert trimmed(5, Retention(revisions=3), days_later=0) == [2, 1]


def test_the_version_that_counts_stays_however_old_it_is() -> None:
    assert trimmed(3, Retention(revision_days=1, revisions=1), days_later=900) == [2, 1]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 86_399), st.integers(1, 365))
def test_on_its_last_day_a_revision_has_outlived_its_days_from_the_first_minute(second: int, days: int) -> None:
    written_at = datetime(2026, 6, 1, tzinfo=UTC) + timedelta(seconds=second)
    day = last_day(Retention(revision_days=days), written_at)
    midnight = datetime.combine(day, datetime.min.time(), UTC)
    assert timedelta(0) < midnight - written_at - timedelta(days=days) <= timedelta(days=1)


def test_who_changes_more_than_is_kept_is_looked_after_once_in_25_changes() -> None:
    retention = Retention(revision_days=90, revisions=100)
    tomorrow = date(2026, 6, 2)
    soon = [count for count in range(1, 201) if tidy_day(retention, written_at=BEGINNING, turn_count=count) == tomorrow]
    assert soon == [125, 150, 175, 200]
