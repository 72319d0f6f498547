"""Cutting a text to a number of tokens."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.clipping import GAP, clip


class Words:
    """Every word with the blanks before it is a token, long words are several; counts what it was asked to read."""

    encoding = "words"
    _token = re.compile(r"\s*\S{1,4}|\s+$")

    def __init__(self) -> None:
        self.read = 0

    def _tokens(self, text: str) -> list[str]:
        self.read += len(text)
        return self._token.findall(text)

    def count(self, text: str) -> int:
        return len(self._tokens(text))

    def head(self, text: str, limit: int) -> str:
        return "".join(self._tokens(text)[: max(limit, 0)])

    def tail(self, text: str, limit: int) -> str:
        return "".join(self._tokens(text)[-limit:]) if limit > 0 else ""


@given(st.text(alphabet="ab \n中", max_size=300), st.integers(min_value=0, max_value=60))
@settings(max_examples=300, deadline=None)
def test_the_result_is_never_above_the_limit_and_what_fits_is_untouched(text: str, limit: int) -> None:
    tokenizer = Words()
    clipped = clip(text, limit, tokenizer)
    assert tokenizer.count(clipped) <= limit
    if tokenizer.count(text) <= limit:
        assert clipped == text


def test_head_and_tail_stay_around_a_marked_gap() -> None:
    text = "begin " + "middle " * 500 + "end"
    clipped = clip(text, 50, Words())
    head, gap, tail = clipped.partition(GAP)
    assert gap
    assert head.startswith("begin")
    assert tail.endswith("end")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert Words().count(clipped) >= 45


def test_a_limit_too_small_for_the_gap_leaves_the_head_alone() -> None:
    assert clip("one two tre fou five", 2, Words()) == "one two"
    assert clip("one two", 0, Words()) == ""


@pytest.mark.parametrize("text", ["word " * 200_000, "a" * 1_000_000, " " * 1_000_000, "中" * 300_000])
def test_a_megabyte_is_cut_without_being_read_whole(text: str) -> None:
    tokenizer = Words()
    clipped = clip(text, 1500, tokenizer)
    assert tokenizer.count(clipped) <= 1500
    assert tokenizer.read < 200_000


def test_a_tokenizer_that_joins_worse_than_it_splits_still_keeps_the_limit() -> None:
    class Seams(Words):
        """The gap makes its surroundings split worse."""

        def count(self, text: str) -> int:
            return super().count(text) + (7 if text != GAP and GAP in text else 0)

    tokenizer = Seams()
    assert tokenizer.count(clip("abcd " * 200, 40, tokenizer)) <= 40
