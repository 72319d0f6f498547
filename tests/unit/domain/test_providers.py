"""How a channel's user is written, spelled, and told from users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import decode, encode
from context_memory.domain.links import Provider

CHANNELS = st.text(st.characters(exclude_characters=":", exclude_categories=["Cs"]), min_size=1, max_size=12)
USERS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@pytest.mark.parametrize(
    "written", ["telegram:123", "Telegram:123", " TELEGRAM :123", "telegram: 123 ", "\ttelegram\n:\u00a0123"]
)
def test_the_channels_case_and_blanks_around_both_do_not_matter(written: str) -> None:
    assert Provider.read(written).spelled == "telegram:123"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("telegram:Ann", "telegram:ann"),
        ("telegram:1", "telegram:1.0"),
        ("telegram:a b", "telegram:a  b"),
        ("telegram:1", "telegram2:1"),
        ("tele:gram:1", "telegram:1"),
        ("slack:é", "slack:e\u0301"),
    ],
)
def test_users_that_look_alike_are_others(one: str, other: str) -> None:
    assert Provider.read(one).spelled != Provider.read(other).spelled


@pytest.mark.parametrize(
    "wrong", ["", ":", "telegram", "telegram:", ":123", " : ", "telegram: ", "\ud800:1", "t:" + "ä" * 40]
)
def test_what_names_no_channel_or_no_user_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidId) as refused:
        Provider.read(wrong)
    assert refused.value.field == "provider"


def test_whatever_follows_the_first_colon_is_the_user() -> None:
    assert Provider.read("matrix:@ann:example.org").spelled == "matrix:@ann=3Aexample.org"


@given(CHANNELS, USERS)
def test_spelling_is_read_back_and_what_was_read_is_read_again_as_the_same(channel: str, user_id: str) -> None:
    try:
        provider = Provider.read(f"{channel}:{user_id}")
    except InvalidId:
        return
    assert Provider.from_segment(provider.spelled) == provider
    assert Provider.read(str(provider)) == provider


@given(USERS)
def test_no_spelled_user_is_ever_taken_for_a_provider(user_id: str) -> None:
    assert ":" not in encode(user_id)


@pytest.mark.parametrize(
    "segment", ["telegram", "telegram=3A123", "telegram:1:2", "telegram:a b", ":1", "t:", "tele=3agram:1"]
)
def test_a_segment_that_is_no_provider_is_refused(segment: str) -> None:
    with pytest.raises(InvalidId):
        Provider.from_segment(segment)


@given(st.text(alphabet="tT:=3A21. ", max_size=12))
def test_any_segment_is_a_provider_a_user_or_refused_and_never_both(segment: str) -> None:
    read = []
    for reader in (Provider.from_segment, decode):
        try:
            read.append(reader(segment))
        except InvalidId:
            continue
    assert len(read) <= 1


def test_a_channel_holds_no_colon_however_it_is_spelled() -> None:
    with pytest.raises(InvalidId):
        Provider.from_segment("tele=3Agram:1")
