from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from context_memory.domain.housekeeping import expire_follow_ups, limit_topics, stamp_topics
from context_memory.domain.profile import Bullets, Section, pin_of

TURN = datetime(2026, 6, 17, 11, 40, 30, tzinfo=UTC)
OLD = ("2026-06-01 09:00 UTC: Dose reduction.", "2026-06-10 09:00 UTC: Night rotas.")


class WordTokens:
    """One token a word."""

    encoding = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def head(self, text: str, limit: int) -> str:
        return " ".join(text.split()[:limit])

    def tail(self, text: str, limit: int) -> str:
        return " ".join(text.split()[-limit:])


def stamped(*lines: str, base: tuple[str, ...] = OLD, at: datetime = TURN) -> tuple[str, ...]:
    return stamp_topics(Bullets(topics=base), Bullets(topics=lines), at).topics


@pytest.mark.parametrize(
    "written",
    ["Scanner delivery.", "2020-01-01 00:00 UTC: Scanner delivery.", "2026-06-17: Scanner delivery."],
)
def test_a_new_topic_gets_the_stamp_of_the_turn_in_place_of_the_models(written: str) -> None:
    assert stamped(*OLD, written) == (*OLD, "2026-06-17 11:40 UTC: Scanner delivery.")


def test_a_changed_topic_is_dated_anew_and_goes_last() -> None:
    changed = "2026-06-01 09:00 UTC: Dose reduction for children."
    assert stamped(changed, OLD[1]) == (OLD[1], "2026-06-17 11:40 UTC: Dose reduction for children.")


def test_a_subject_that_stands_already_is_dated_anew_and_not_repeated() -> None:
    assert stamped(*OLD, "dose  REDUCTION.") == (OLD[1], "2026-06-17 11:40 UTC: dose  REDUCTION.")
    assert stamped(*OLD, "Reducing doses.") == (*OLD, "2026-06-17 11:40 UTC: Reducing doses.")


def test_a_late_turn_stamps_its_own_time_and_dates_nothing_back() -> None:
    late = datetime(2026, 6, 5, 8, 0, tzinfo=UTC)
    assert stamped(*OLD, "Scanner delivery.", at=late) == (OLD[0], "2026-06-05 08:00 UTC: Scanner delivery.", OLD[1])
    assert stamped(*OLD, "Night rotas.", at=late) == OLD


def test_the_stamp_is_utc_whatever_the_zone_of_the_turn() -> None:
    at = datetime.fromisoformat("2026-06-18T01:10:00+02:00")
    assert stamped("Scanner.", base=(), at=at) == ("2026-06-17 23:10 UTC: Scanner.",)


def test_without_a_new_topic_nothing_changes_not_even_the_order() -> None:
    assert stamped(OLD[1], OLD[0]) == (OLD[1], OLD[0])
    assert stamped(OLD[1]) == (OLD[1],)


def test_lines_without_stamp_are_the_oldest() -> None:
    assert stamped("Scanner.", *OLD, "An old line.", base=("An old line.", *OLD)) == (
        "An old line.",
        *OLD,
        "2026-06-17 11:40 UTC: Scanner.",
    )


def test_stamping_twice_is_stamping_once() -> None:
    base, new = Bullets(topics=OLD), Bullets(topics=(*OLD, "Scanner."))
    once = stamp_topics(base, new, TURN)
    assert stamp_topics(base, once, TURN) == once


def _lines(count: int) -> tuple[str, ...]:
    start = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
    return tuple(f"{start + timedelta(days=day):%Y-%m-%d %H:%M} UTC: Subject {day}." for day in range(count))


def test_the_newest_twenty_topics_stay() -> None:
    lines = _lines(25)
    kept = limit_topics(Bullets(topics=lines), cap_tokens=8000, tokenizer=WordTokens())
    assert kept.topics == lines[5:]


def test_topics_take_a_quarter_of_the_cap_at_most() -> None:
    lines = _lines(10)
    per_line = WordTokens().count(f"- {lines[0]}")
    kept = limit_topics(Bullets(topics=lines), cap_tokens=4 * (3 * per_line + 1), tokenizer=WordTokens())
    assert kept.topics == lines[7:]


def test_the_newest_topic_stays_however_long_and_pinned_ones_do_too() -> None:
    lines = (*_lines(3), f"2026-06-17 11:40 UTC: {'long ' * 50}")
    pinned = frozenset({pin_of(Section.TOPICS, lines[0])})
    tokens = WordTokens()
    assert limit_topics(Bullets(topics=lines), cap_tokens=40, tokenizer=tokens).topics == lines[-1:]
    kept = limit_topics(Bullets(topics=lines), cap_tokens=60, tokenizer=tokens, pinned=pinned)
    assert lines[0] in kept.topics


def expired(text: str, *, today: date, written: date | None = None, pinned: bool = False) -> bool:
    days = {(Section.FOLLOW_UPS, text): written} if written else {}
    pins = frozenset({pin_of(Section.FOLLOW_UPS, text)} if pinned else ())
    return not expire_follow_ups(Bullets(follow_ups=(text,)), days, today, pins).follow_ups


@pytest.mark.parametrize(
    "text", ["Call Anna by 2026-06-10.", "Call Anna by 10 June 2026.", "Anna am 10.6.2026 anrufen"]
)
def test_a_dated_follow_up_goes_fourteen_days_after_its_date(text: str) -> None:
    written = date(2026, 5, 1)
    assert not expired(text, today=date(2026, 6, 24), written=written)
    assert expired(text, today=date(2026, 6, 25), written=written)


def test_the_latest_date_counts() -> None:
    text = "Sent on 2026-01-10, ask again on 2026-06-10."
    assert not expired(text, today=date(2026, 6, 20), written=date(2026, 1, 10))


def test_an_undated_follow_up_goes_ninety_days_after_it_was_last_written() -> None:
    written = date(2026, 3, 1)
    assert not expired("Call Anna.", today=written + timedelta(days=90), written=written)
    assert expired("Call Anna.", today=written + timedelta(days=91), written=written)


def test_a_follow_up_that_was_just_written_stays() -> None:
    assert not expired("Call Anna.", today=date(2026, 6, 17))


def test_a_year_that_is_past_dates_nothing() -> None:
    assert not expired("Compare with 2019.", today=date(2026, 6, 17), written=date(2026, 6, 1))
    assert not expired("Renew the licence in 2027.", today=date(2027, 6, 17), written=date(2026, 6, 1))


def test_a_pinned_follow_up_stays() -> None:
    assert not expired("Call Anna by 2026-06-10.", today=date(2027, 1, 1), pinned=True)
