"""What tells a reader that grows like the length from one that grows with its square."""

from __future__ import annotations

import re

import pytest

from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

FROM_EACH_BEGINNING = re.compile(r"a+b")
"""Goes through all that follows from each letter, because the end that it looks for never comes."""


def test_a_reader_that_reads_once_grows_like_the_length() -> None:
    assert growth(re.compile(r"[^a]").findall, repeated("a"), 20_000) < LIKE_THE_LENGTH


def test_a_reader_that_reads_on_from_each_beginning_is_found_out() -> None:
    assert growth(FROM_EACH_BEGINNING.findall, repeated("a"), 400) > LIKE_THE_LENGTH


@pytest.mark.parametrize(("piece", "length"), [("ab", 5), ("abc", 3), ("abc", 8)])
def test_no_text_ends_within_a_piece(piece: str, length: int) -> None:
    text = repeated(piece)(length)
    assert text.replace(piece, "") == ""
    assert length - len(piece) < len(text) <= length
