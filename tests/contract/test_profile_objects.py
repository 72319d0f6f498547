from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import PreconditionFailed, ProfileVersionMissing
from tests.support.records import LENA, LOOK_ALIKES

if TYPE_CHECKING:
    from tests.support.stores import Stores


def test_what_was_put_is_the_latest_version_byte_for_byte(stores: Stores) -> None:
    body = "Lebt in Zürich\r\n<|endoftext|> 東京\n".encode()
    written = stores.profiles.put(LENA, body, replaces=None)
    latest = stores.profiles.latest(LENA)
    assert latest is not None
    assert (latest.body, latest.version_id) == (body, written.version_id)
    assert latest.etag == stores.profiles.latest_etag(LENA)


def test_nobody_has_a_profile_before_it_is_put(stores: Stores) -> None:
    assert stores.profiles.latest(LENA) is None
    assert stores.profiles.latest_etag(LENA) is None
    assert stores.profiles.versions(LENA) == []


def test_a_first_version_is_refused_where_there_is_one(stores: Stores) -> None:
    stores.profiles.put(LENA, b"first", replaces=None)
    with pytest.raises(PreconditionFailed):
        stores.profiles.put(LENA, b"second", replaces=None)
    latest = stores.profiles.latest(LENA)
    assert latest is not None
    assert latest.body == b"first"


def test_a_version_replaces_only_the_one_it_names(stores: Stores) -> None:
    stores.profiles.put(LENA, b"first", replaces=None)
    first = stores.profiles.latest_etag(LENA)
    stores.profiles.put(LENA, b"second", replaces=first)
    with pytest.raises(PreconditionFailed):
        stores.profiles.put(LENA, b"third", replaces=first)


def test_replacing_a_version_that_is_gone_is_refused_as_well(stores: Stores) -> None:
    written = stores.profiles.put(LENA, b"first", replaces=None)
    first = stores.profiles.latest_etag(LENA)
    stores.profiles.delete_version(LENA, written.version_id)
    with pytest.raises(PreconditionFailed):
        stores.profiles.put(LENA, b"second", replaces=first)


def test_an_older_version_stays_readable_under_its_id(stores: Stores) -> None:
    first = stores.profiles.put(LENA, b"first", replaces=None)
    stores.profiles.put(LENA, b"second", replaces=stores.profiles.latest_etag(LENA))
    assert stores.profiles.version(LENA, first.version_id).body == b"first"


def test_a_version_that_was_deleted_is_missing(stores: Stores) -> None:
    first = stores.profiles.put(LENA, b"first", replaces=None)
    stores.profiles.put(LENA, b"second", replaces=stores.profiles.latest_etag(LENA))
    stores.profiles.delete_version(LENA, first.version_id)
    with pytest.raises(ProfileVersionMissing):
        stores.profiles.version(LENA, first.version_id)


def test_deleting_a_version_twice_is_no_error(stores: Stores) -> None:
    first = stores.profiles.put(LENA, b"first", replaces=None)
    stores.profiles.delete_version(LENA, first.version_id)
    stores.profiles.delete_version(LENA, first.version_id)
    assert stores.profiles.versions(LENA) == []


def test_all_versions_are_listed_newest_first(stores: Stores) -> None:
    written = [stores.profiles.put(LENA, b"0", replaces=None)]
    written += [
        stores.profiles.put(LENA, str(number).encode(), replaces=stores.profiles.latest_etag(LENA))
        for number in range(1, 4)
    ]
    listed = [version.version_id for version in stores.profiles.versions(LENA)]
    assert set(listed) == {version.version_id for version in written}
    assert all(version.last_modified.tzinfo for version in [*written, *stores.profiles.versions(LENA)])


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda user: user.partition)
def test_a_look_alike_sees_nothing_of_a_user(stores: Stores, other: object) -> None:
    written = stores.profiles.put(LENA, b"Lena's", replaces=None)
    stores.write_legacy(LENA, b"Lena's old file")
    assert isinstance(other, type(LENA))
    assert stores.profiles.latest(other) is None
    assert stores.profiles.legacy(other) is None
    assert stores.profiles.versions(other) == []
    with pytest.raises(ProfileVersionMissing):
        stores.profiles.version(other, written.version_id)


def test_a_legacy_file_is_read_where_it_lies(stores: Stores) -> None:
    assert stores.profiles.legacy(LENA) is None
    stores.write_legacy(LENA, b"## Identity\n- Lena\n")
    assert stores.profiles.legacy(LENA) == b"## Identity\n- Lena\n"


def test_a_profile_hides_no_legacy_file_and_the_other_way_round(stores: Stores) -> None:
    stores.profiles.put(LENA, b"new", replaces=None)
    assert stores.profiles.legacy(LENA) is None
    stores.write_legacy(LENA, b"old")
    latest = stores.profiles.latest(LENA)
    assert latest is not None
    assert latest.body == b"new"


def test_a_legacy_file_is_removed_with_everything_below_it_and_no_other_goes(stores: Stores) -> None:
    others = [other for other in LOOK_ALIKES if other.encoded != LENA.encoded or other.company_id != LENA.company_id]
    for user in (LENA, *others):
        stores.write_legacy(user, b"old")
        stores.write_legacy(user, b"older than that")
    stores.profiles.put(LENA, b"new", replaces=None)
    for _ in range(2):
        stores.profiles.delete_legacy(LENA)
    assert stores.profiles.legacy(LENA) is None
    assert stores.legacy_versions(LENA) == 0
    assert len(stores.profiles.versions(LENA)) == 1
    for other in others:
        assert stores.profiles.legacy(other) == b"older than that"


def test_of_writers_who_read_the_same_version_one_wins(stores: Stores) -> None:
    stores.profiles.put(LENA, b"base", replaces=None)
    base = stores.profiles.latest_etag(LENA)

    def write(number: int) -> bool:
        try:
            stores.profiles.put(LENA, f"writer {number}".encode(), replaces=base)
        except PreconditionFailed:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        won = list(pool.map(write, range(6)))
    assert won.count(True) == 1
    latest = stores.profiles.latest(LENA)
    assert latest is not None
    assert latest.body == f"writer {won.index(True)}".encode()


def test_of_first_writers_one_wins(stores: Stores) -> None:
    def write(number: int) -> bool:
        try:
            stores.profiles.put(LENA, f"writer {number}".encode(), replaces=None)
        except PreconditionFailed:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        won = list(pool.map(write, range(6)))
    assert won.count(True) == 1
    assert len(stores.profiles.versions(LENA)) == 1
