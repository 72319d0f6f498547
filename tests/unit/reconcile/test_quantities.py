from __future__ import annotations

import pytest

from context_memory.domain.language.number_words import spelled_numbers
from context_memory.domain.language.quantities import values_said


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("twenty years", {"20"}),
        ("twenty-five or thirty", {"25", "30"}),
        ("two and three", {"2", "3"}),
        ("two hundred and fifty thousand people", {"250000"}),
        ("a hundred", {"100"}),
        ("fünfundvierzig", {"45"}),
        ("zweihundertfünfzig", {"250"}),
        ("zwanzigtausend", {"20000"}),
        ("Jahrhundert", set()),
        ("tausende", set()),
        ("vingt et un", {"21"}),
        ("soixante et onze", {"71"}),
        ("quatre-vingt-douze", {"92"}),
        ("treinta y cinco", {"35"}),
        ("veinticinco", {"25"}),
        ("trentotto", {"38"}),
        ("vinte e cinco", {"25"}),
        ("vijfentwintig", {"25"}),
        ("十五", {"15"}),
        ("二十", {"20"}),
        ("三百", {"300"}),
        ("二〇二六年", {"2026", "2", "0", "6"}),
        ("三四个", {"34", "3", "4"}),
        ("someone, often", set()),
    ],
)
def test_numbers_are_read_as_people_spell_them(text: str, numbers: set[str]) -> None:
    assert spelled_numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("75k", "75000"),
        ("75 K CHF", "75000"),
        ("1,5 Mio", "1500000"),
        ("1'500 k", "1500000"),
        ("2 million", "2000000"),
        ("3 Mrd.", "3000000000"),
        ("half a million", "500000"),
        ("eine halbe Million", "500000"),
        ("2万5千", "25000"),
        ("300万", "3000000"),
        ("5만 명", "50000"),
        ("3pm", "15:00"),
        ("3:30 p.m.", "15:30"),
        ("12 am", "00:00"),
        ("15 Uhr", "15:00"),
        ("15.30 Uhr", "15:30"),
        ("15h30", "15:30"),
        ("下午3点", "15:00"),
    ],
)
def test_amounts_and_times_have_one_value_however_they_are_written(text: str, value: str) -> None:
    assert value in values_said(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("10km", "10000"), ("half a million", "1000000"), ("3pm", "03:00"), ("1.2.3 k", "1000"), ("3.12 Python", "15:12")],
)
def test_no_value_is_invented(text: str, value: str) -> None:
    assert value not in values_said(text)


def test_endless_figures_are_no_amount() -> None:
    assert values_said("9" * 50_000 + "k") == {"9" * 50_000}
