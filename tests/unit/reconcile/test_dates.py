from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from context_memory.domain.language import stamps
from context_memory.domain.language.dates import dates_in

TODAY = date(2026, 6, 17)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2026-06-17", {date(2026, 6, 17)}),
        ("am 17.6.2026", {date(2026, 6, 17)}),
        ("17/06/26", {date(2026, 6, 17)}),
        ("06.10.2026", {date(2026, 10, 6)}),
        ("03/04/2026", {date(2026, 4, 3), date(2026, 3, 4)}),
        ("17 June 2026", {date(2026, 6, 17)}),
        ("June 17th, 2026", {date(2026, 6, 17)}),
        ("17. März 2026", {date(2026, 3, 17)}),
        ("le 1er août 2026", {date(2026, 8, 1)}),
        ("el 3 de mayo de 2027", {date(2027, 5, 3)}),
        ("il 9 settembre 2026", {date(2026, 9, 9)}),
        ("em 2 de outubro de 2026", {date(2026, 10, 2)}),
        ("op 5 maart 2027", {date(2027, 3, 5)}),
        ("2026年6月17日", {date(2026, 6, 17)}),
        ("2026年 6月", {date(2026, 6, 30)}),
        ("6月17日", {date(2026, 6, 17)}),
        ("2026년 6월 17일", {date(2026, 6, 17)}),
        ("in June 2026", {date(2026, 6, 30)}),
        ("in 2027", {date(2027, 12, 31)}),
        ("by 10 January", {date(2027, 1, 10)}),
        ("since 1 June", {date(2026, 6, 1)}),
        ("until 17.06. or so", {date(2026, 6, 17)}),
        ("from 2026-06-01 to 3 July 2026", {date(2026, 6, 1), date(2026, 7, 3)}),
        ("on 31/02/2026", set()),
        ("Python 3.12.", set()),
        ("Python 3.12.4", set()),
        ("10.0.0.1", set()),
        ("no day at all", set()),
    ],
)
def test_days_are_read_as_people_write_them(text: str, days: set[date]) -> None:
    assert {found.day for found in dates_in(text, TODAY)} == days


def test_a_date_knows_the_digits_it_is_written_with() -> None:
    (found,) = dates_in("June 17th, 2026", TODAY)
    assert found.digits == {"17", "2026"}
    assert not found.whole_year


@pytest.mark.parametrize(
    "line",
    [
        "2026-06-17 11:40 UTC: Rotas.",
        "2026-06-17 11:40: Rotas.",
        "2026-06-17T11:40:00Z: Rotas.",
        "[2026-06-17 11:40] Rotas.",
        "**2026-06-17 11:40 UTC**: Rotas.",
        "2026-06-17 11:40 UTC - Rotas.",
    ],
)
def test_stamps_are_read_in_the_spellings_of_models(line: str) -> None:
    assert stamps.split(line) == (datetime(2026, 6, 17, 11, 40, tzinfo=UTC), "Rotas.")


@pytest.mark.parametrize("line", ["Rotas.", "2026-06-17 is the day.", "2026-13-17: Rotas.", "Rotas, 2026-06-17: done"])
def test_what_is_no_stamp_stays_in_the_line(line: str) -> None:
    assert stamps.split(line) == (None, line)


def test_a_stamp_is_utc_and_read_back() -> None:
    at = datetime.fromisoformat("2026-06-17T13:40:00+02:00")
    assert stamps.stamped("Rotas.", at) == "2026-06-17 11:40 UTC: Rotas."
    assert stamps.split(stamps.stamped("Rotas.", at)) == (at, "Rotas.")
