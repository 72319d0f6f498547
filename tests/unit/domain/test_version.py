from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.version import version_etag, versions_in

COUNTS = st.integers(min_value=0, max_value=9_999_999_999)


@given(COUNTS, COUNTS)
def test_a_validator_names_the_version_that_it_was_made_of(epoch: int, turn_count: int) -> None:
    assert versions_in([version_etag(epoch, turn_count, beside="0a1b2c3d")]) == {(epoch, turn_count)}


@pytest.mark.parametrize(
    "etag", ["", "*", "0-1", '"0-1', '"0-1-"', '"0-1-xyz"', '"-1-1"', '"1"', '"0-1-0a1b2c3d" ', '"\u0663-\u0661"']
)
def test_what_is_no_validator_of_ours_names_no_version(etag: str) -> None:
    assert versions_in([etag]) == frozenset()


def test_several_validators_name_several_versions_and_what_stands_beside_does_not_matter() -> None:
    assert versions_in(['"0-1-0a1b2c3d"', '"0-1-ffffffff"', '"2-7"', "*"]) == {(0, 1), (2, 7)}
