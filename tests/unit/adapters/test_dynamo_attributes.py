from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, read_all, spelled_all, stamp
from context_memory.domain.ids import UserKey

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9998, 1, 1), timezones=ZONES)  # noqa: DTZ001 - Hypothesis wants naive bounds
PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_an_item_reads_as_it_was_spelled(item: dict[str, Any]) -> None:
    assert read_all(spelled_all(item)) == item


def test_a_switch_is_no_number() -> None:
    assert spelled_all({"on": True, "one": 1}) == {"on": {"BOOL": True}, "one": {"N": "1"}}
    assert read_all({"on": {"BOOL": True}})["on"] is True


def test_a_type_that_our_items_do_not_use_is_refused() -> None:
    with pytest.raises(ValueError, match="type BS"):
        read_all({"bytes": {"BS": [b"raw"]}})


@settings(max_examples=60, deadline=None)
@given(MOMENTS, MOMENTS)
def test_stamps_compare_as_times_do(one: datetime, other: datetime) -> None:
    assert (stamp(one) < stamp(other)) == (one < other)
    assert (moment(stamp(one)), len(stamp(one))) == (one, 27)


def test_a_stamp_is_utc_whatever_zone_the_time_was_told_in() -> None:
    zurich = timezone(timedelta(hours=2))
    assert stamp(datetime(2026, 7, 1, 1, 30, tzinfo=zurich)) == "2026-06-30T23:30:00.000000Z"


def test_a_time_without_zone_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="zone"):
        stamp(datetime.now(UTC).replace(tzinfo=None))


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(0, 10**10 - 1)] * 2), st.tuples(*[st.integers(0, 10**10 - 1)] * 2))
def test_revisions_sort_as_their_numbers_do(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert (keys.revision(*one) < keys.revision(*other)) == (one < other)


def test_no_turn_id_leaves_the_turns_and_no_user_id_the_user() -> None:
    assert keys.turn("../A#PROFILE") == "TURN#..=2FA=23PROFILE"
    key = keys.key(UserKey("acme", "lena#space#x"), keys.PROFILE)
    assert key == {"pk": {"S": "acme#lena=23space=23x"}, "sk": {"S": "A#PROFILE"}}
