from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import MAX_ENCODED, UserKey, decode, encode

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(
    lambda text: len(text.encode()) * 3 <= MAX_ENCODED
)
HOSTILE = [
    "a/b",
    "..",
    ".",
    "a#b",
    "a:b",
    "x%2Fy",
    "*",
    "?",
    "${aws:PrincipalTag/user_id}",
    "a b",
    "A",
    "a",
    "\u00e9",
    "e\u0301",
]


@given(IDS)
def test_decoding_gives_back_what_was_encoded(value: str) -> None:
    assert decode(encode(value)) == value


@given(IDS, IDS)
def test_two_ids_never_share_a_spelling(one: str, other: str) -> None:
    assert (encode(one) == encode(other)) == (one == other)


@given(IDS)
def test_a_spelling_holds_nothing_that_means_something_in_a_path_a_key_or_a_policy(value: str) -> None:
    assert not set(encode(value)) & set("/#:*?${}% \\\"'")
    assert encode(value) not in {".", ".."}


@given(st.text(max_size=30))
def test_a_segment_is_read_only_if_it_is_spelled_as_we_spell(segment: str) -> None:
    try:
        value = decode(segment)
    except InvalidId:
        return
    assert encode(value) == segment


@pytest.mark.parametrize("segment", ["", ".", "..", "a/b", "a:b", "%41", "=41", "=c3=a9", "=C3", "=ZZ", "a b", "é"])
def test_a_segment_that_no_id_encodes_to_is_refused(segment: str) -> None:
    with pytest.raises(InvalidId):
        decode(segment)


@pytest.mark.parametrize("value", ["", "\ud800", "x" * 201, "ö" * 34])
def test_an_id_without_a_spelling_is_refused(value: str) -> None:
    with pytest.raises(InvalidId):
        encode(value)


@pytest.mark.parametrize("company", ["", "a", "-a", "Acme", "a/b", "a" * 64, "acme\n", "a.b"])
def test_a_company_that_is_no_slug_is_refused(company: str) -> None:
    with pytest.raises(InvalidId):
        UserKey(company, "lena")


@pytest.mark.parametrize("one", HOSTILE)
@pytest.mark.parametrize("other", HOSTILE)
def test_no_user_lies_within_anothers_prefix_or_partition(one: str, other: str) -> None:
    mine, theirs = UserKey("acme", one), UserKey("acme", other)
    assert theirs.home.startswith(mine.home) == (one == other)
    assert (mine.partition == theirs.partition) == (one == other)
    assert "##" not in mine.partition
