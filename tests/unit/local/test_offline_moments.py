from __future__ import annotations

from datetime import date

import pytest

from infra.local.offline_model.moments import absolute

WEDNESDAY = date(2026, 6, 17)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("call tomorrow", "call on 2026-06-18"),
        ("by the day after tomorrow", "by 2026-06-19"),
        ("on Friday", "on 2026-06-19"),
        ("on Wednesday", "on 2026-06-24"),
        ("by next Friday", "by 2026-06-26"),
        ("in two weeks", "2026-07-01"),
        ("in 3 months", "2026-09-17"),
        ("on July 3rd", "on 2026-07-03"),
        ("on 2 January", "on 2027-01-02"),
        ("on 2 January 2026", "on 2026-01-02"),
        ("bis übermorgen", "bis 2026-06-19"),
        ("am Freitag", "am 2026-06-19"),
        ("bis nächsten Montag", "bis 2026-06-22"),
        ("in drei Wochen", "2026-07-08"),
        ("am 3. Juli", "am 2026-07-03"),
        ("明天开会", "2026-06-18开会"),
        ("下周五交稿", "2026-06-26交稿"),
        ("两周后", "2026-07-01"),
    ],
)
def test_a_date_in_words_becomes_the_day_it_means(said: str, meant: str) -> None:
    assert absolute(said, WEDNESDAY) == meant


@pytest.mark.parametrize("said", ["guten Morgen", "am Morgen", "on Fridays", "31 June"])
def test_what_only_looks_like_a_date_stays(said: str) -> None:
    assert absolute(said, WEDNESDAY) == said


def test_a_month_that_is_too_short_keeps_its_last_day() -> None:
    assert absolute("in one month", date(2027, 1, 31)) == "2027-02-28"


def test_without_a_day_of_reference_nothing_is_guessed() -> None:
    assert absolute("tomorrow", None) == "tomorrow"
