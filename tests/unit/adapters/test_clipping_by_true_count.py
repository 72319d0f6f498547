"""Clipping, counted by the real tokenizer: never above the limit, both ends kept, quick on long texts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.clipping import clip

if TYPE_CHECKING:
    from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer

WORDS = st.sampled_from(
    ["I moved", " to Basel. ", "\n\n", "我叫小林。", "👩🏽‍🚀", "<|endoftext|>", "1234567", "مرحبا", "   ", "é"]
)


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
    text = "".join(f"Line {number}: the migration of the archive goes on.\n" for number in range(5_000))
    started = time.perf_counter()
    clipped = clip(text, limit, tokenizer)
    assert time.perf_counter() - started < 2
    assert clipped.startswith("Line 0: ")
    assert clipped.rstrip().endswith("Line 4999: the migration of the archive goes on.")
    assert 0.9 * limit <= tokenizer.count(clipped) <= limit
