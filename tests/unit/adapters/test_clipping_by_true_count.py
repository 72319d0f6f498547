"""Clipping, counted by the real tokenizer: never above the limit, both ends kept, long texts hardly read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.clipping import clip
from tests.support.growth import LIKE_THE_LENGTH, growth

if TYPE_CHECKING:
    from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer

WORDS = st.sampled_from(
    ["I moved", " to Basel. ", "\n\n", "我叫小林。", "👩🏽‍🚀", "<|endoftext|>", "1234567", "مرحبا", "   ", "é"]
)


def _lines(count: int) -> str:
    return "".join(f"Line {number}: the migration of the archive goes on.\n" for number in range(count))


@settings(max_examples=60, deadline=None)
@given(text=st.lists(WORDS, max_size=200).map("".join), limit=st.integers(20, 200))
def test_a_clipped_text_is_within_the_limit_and_a_short_one_is_itself(
    tokenizer: TiktokenTokenizer, text: str, limit: int
) -> None:
    clipped = clip(text, limit, tokenizer)
    assert tokenizer.count(clipped) <= limit
    if tokenizer.count(text) <= limit:
        assert clipped == text


@pytest.mark.parametrize("limit", [200, 1_500, 6_000])
def test_a_quarter_of_a_million_characters_are_clipped_to_nearly_the_limit(
    tokenizer: TiktokenTokenizer, limit: int
) -> None:
    clipped = clip(_lines(5_000), limit, tokenizer)
    assert clipped.startswith("Line 0: ")
    assert clipped.rstrip().endswith("Line 4999: the migration of the archive goes on.")
    assert 0.9 * limit <= tokenizer.count(clipped) <= limit


def test_the_time_of_clipping_grows_at_most_like_the_length(tokenizer: TiktokenTokenizer) -> None:
    assert growth(lambda text: clip(text, 1_500, tokenizer), _lines, 1_000) < LIKE_THE_LENGTH
