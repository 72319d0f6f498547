"""The tokenizer against the real vocabulary."""

from __future__ import annotations

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.adapters.tiktoken_tokenizer import WINDOW, TiktokenTokenizer, windows
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

# Pieces at which the encodings' patterns do something of their own.
PIECES = st.sampled_from(
    ["a", "Straße", "don't", "WON'T", "'s", "1234567", " ", "  ", "\n", "\r\n", "\t", "。", "漢字かな", "مرحبا", "नमस्ते",
     "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "/", "…", "_", "^", "<|endoftext|>", "<|fim_prefix|>", "\x00", "#", "- "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)
ODD_TEXTS = st.text(st.characters(exclude_categories=[]), max_size=80)  # lone surrogates included
QUICK = settings(max_examples=60, deadline=None)


@pytest.fixture(scope="module")
def exact(tokenizer: TiktokenTokenizer) -> tiktoken.Encoding:
    return tiktoken.get_encoding(tokenizer.encoding)


def test_a_known_sentence_has_its_known_count(tokenizer: TiktokenTokenizer) -> None:
    assert tokenizer.count("hello world") == 2
    assert tokenizer.count("") == 0


@pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_middle|>", "<|endofprompt|>", "<|im_start|>"])
def test_text_that_spells_a_special_token_is_plain_text(tokenizer: TiktokenTokenizer, special: str) -> None:
    assert tokenizer.count(special) > 1
    assert tokenizer.head(f"{special} and more", 1_000) == f"{special} and more"


@QUICK
@given(text=TEXTS)
def test_windows_lose_nothing_and_a_text_within_one_is_counted_exactly(
    tokenizer: TiktokenTokenizer, exact: tiktoken.Encoding, text: str
) -> None:
    text = f"{text} word, {text}"
    assert "".join(windows(text, size=7)) == text
    assert tokenizer.count(text) == len(exact.encode_ordinary(text))


@QUICK
@given(before=TEXTS, after=TEXTS, mark=st.sampled_from(" \n,;:。/_^$("))
def test_a_border_behind_a_word_is_exact(exact: tiktoken.Encoding, before: str, after: str, mark: str) -> None:
    text = f"{before}word{mark}{after}"
    first = next(iter(windows(text, size=len(before) + len("word"))))
    assert first == f"{before}word"
    apart = [*exact.encode_ordinary(first), *exact.encode_ordinary(mark + after)]
    assert apart == exact.encode_ordinary(text)


@QUICK
@given(text=TEXTS, limit=st.integers(0, 40))
def test_head_and_tail_are_the_text_s_own_ends_within_the_limit(
    tokenizer: TiktokenTokenizer, text: str, limit: int
) -> None:
    head, tail = tokenizer.head(text, limit), tokenizer.tail(text, limit)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert tokenizer.count(head) <= limit
    assert tokenizer.count(tail) <= limit
    if tokenizer.count(text) <= limit:
        assert head == tail == text


def test_head_and_tail_use_the_limit_they_are_given(tokenizer: TiktokenTokenizer) -> None:
    text = " ".join(f"word{number}" for number in range(500))
    assert tokenizer.count(tokenizer.head(text, 100)) == 100
    assert tokenizer.count(tokenizer.tail(text, 100)) == 100


@QUICK
@given(text=ODD_TEXTS, limit=st.integers(-1, 20))
def test_no_text_makes_it_raise_and_no_cut_leaves_half_a_character(
    tokenizer: TiktokenTokenizer, text: str, limit: int
) -> None:
    whole = tokenizer.count(text)
    for cut in (tokenizer.head(text, limit), tokenizer.tail(text, limit)):
        assert tokenizer.count(cut) <= max(limit, 0)
        if whole > limit:
            cut.encode()  # a lone surrogate would raise
    assert "\ufffd" not in tokenizer.head("👩🏽‍🚀" * 9, max(limit, 0))


@pytest.mark.parametrize("piece", [" ", "\n", "a", "漢字。"])
def test_the_time_of_cutting_grows_at_most_like_the_length(tokenizer: TiktokenTokenizer, piece: str) -> None:
    def cut(text: str) -> None:
        assert tokenizer.count(tokenizer.head(text, 300)) <= 300
        assert tokenizer.count(tokenizer.tail(text, 300)) <= 300

    assert growth(cut, repeated(piece), 2 * WINDOW) < LIKE_THE_LENGTH


def test_a_run_of_blanks_that_overflows_the_matcher_is_counted(tokenizer: TiktokenTokenizer) -> None:
    assert 0 < tokenizer.count(" " * 2_000_000 + "a") < 2_000_000


def test_windows_are_no_longer_than_they_may_be() -> None:
    pieces = list(windows("a" * (2 * WINDOW + 1)))
    assert [len(piece) for piece in pieces] == [WINDOW, WINDOW, 1]
