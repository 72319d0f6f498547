"""When kept turns are read, and when they are gone, by what the company has set then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.company_settings import LONGEST_KEEP_DAYS
from context_memory.domain.kept_turns import AT_MOST, GRACE, Keep, KeptTurn

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def turn(*, accepted: datetime = NOON, occurred: datetime = NOON) -> KeptTurn:
    return KeptTurn(
        open_key="1",
        turn_id="t1",
        payload_sha256="a" * 64,
        epoch=0,
        accepted_at=accepted,
        occurred_at=occurred,
    )


@pytest.mark.parametrize(
    ("days", "read_after"), [(0, -1), (1, 0), (10, 9), (30, 27), (69, 63), (70, 63), (90, 83), (365, 358)]
)
def test_turns_are_read_in_the_last_tenth_of_their_time_but_a_day_at_least_and_a_week_at_most(
    days: int, read_after: int
) -> None:
    due = NOON + read_after * DAY
    assert Keep(days=days, now=due).is_due(turn())
    assert not Keep(days=days, now=due - timedelta(seconds=1)).is_due(turn())


def test_days_count_from_the_acceptance_however_old_what_is_said() -> None:
    keep = Keep(days=30, now=NOON)
    assert keep.end(turn(occurred=NOON - 300 * DAY)) == NOON + 30 * DAY
    assert turn(occurred=NOON - 300 * DAY).said_at == NOON - 300 * DAY
    assert turn(occurred=NOON + 300 * DAY).said_at == NOON


@pytest.mark.parametrize(("waited", "together"), [(0, 10), (0.9, 10), (1, 5), (2, 2), (3, 1), (14, 1)])
def test_the_longer_turns_wait_the_fewer_are_read_together(waited: float, together: int) -> None:
    due = NOON + 27 * DAY
    assert Keep(days=30, now=due + waited * DAY).together(turn(), 10) == together


@given(st.integers(0, LONGEST_KEEP_DAYS), st.floats(0, 400))
def test_whatever_is_set_a_turn_is_due_before_it_ends_ends_before_it_is_overdue_and_is_gone_in_the_end(
    days: int, age: float
) -> None:
    keep = Keep(days=days, now=NOON + age * DAY)
    stages = [keep.is_due(turn()), keep.has_ended(turn()), keep.is_overdue(turn())]
    assert stages == sorted(stages, reverse=True)
    assert keep.is_overdue(turn()) == (keep.now >= keep.gone_by(turn()))
    assert keep.gone_by(turn()) - NOON <= timedelta(days=LONGEST_KEEP_DAYS) + GRACE < AT_MOST
    assert 1 <= keep.together(turn(), 10) <= 10
