from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.operate.flag_changes import change_of, row

ON, OFF = "context_memory=on", "context_memory_with_web_search=off"


def test_each_flag_is_read_as_the_document_has_it() -> None:
    assert change_of([ON, OFF, "daily_tokens=5000000"]) == {
        "context_memory": True,
        "context_memory_with_web_search": False,
        "daily_tokens": 5_000_000,
    }
    assert change_of(["daily_tokens=default"]) == {"daily_tokens": None}


@pytest.mark.parametrize(
    "word",
    [
        "context_memory",
        "context_memory=yes",
        "context_memory=ON",
        "context_memory=default",
        "legacy=on",
        "daily_tokens=0",
        "daily_tokens=-1",
        "daily_tokens=1.5",
        "daily_tokens=off",
        "daily_tokens=²",
        f"daily_tokens={10**13}",
        "",
    ],
)
def test_a_word_that_switches_nothing_is_refused_by_itself(word: str) -> None:
    with pytest.raises(ValueError, match="none of"):
        change_of([word])


def test_a_flag_that_is_said_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="context_memory is said twice"):
        change_of([ON, "context_memory=off"])


@given(st.text(max_size=30))
def test_whatever_is_written_is_a_change_or_a_sentence(word: str) -> None:
    try:
        assert len(change_of([word])) == 1
    except ValueError as refused:
        assert repr(word) in str(refused)  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        ({"context_memory": True, "context_memory_with_web_search": False}, ("acme", "on", "off", "default")),
        (
            {"context_memory": False, "context_memory_with_web_search": True, "daily_tokens": 7},
            ("acme", "off", "on", "7"),
        ),
    ],
)
def test_flags_are_shown_in_the_words_in_which_they_are_set(flags: dict[str, Any], shown: tuple[str, ...]) -> None:
    assert row("acme", flags) == shown
