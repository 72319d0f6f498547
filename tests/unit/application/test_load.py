from __future__ import annotations

import hashlib
from dataclasses import replace
from threading import Event

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import (
    ProfileBlank,
    ProfileChecksumMismatch,
    ProfileNotUtf8,
    ProfileOwnerMismatch,
    ProfileVersionMissing,
    StoreUnavailable,
)
from context_memory.domain.outcomes import Outcome
from context_memory.domain.profile import Section, pin_of
from context_memory.domain.spaces import SpaceSettings
from tests.support.house import LENA, House, body

BASEL = body(identity=["Lives in Basel."])
LEGACY = b"---\nuser_id: lena\nturn_count: 12\n---\n# User Memory\n## Identity\n* Lives in Graz.\n"
COMPANY = CompanyFlags(context_memory=True, context_memory_with_web_search=True)


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory holds one bullet."""
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    return house


def commit(house: House, content: bytes) -> None:
    """Let the table name `content` as the profile that counts, as a faulty writer might have done."""
    version = house.world.profiles.put(LENA, content, replaces=house.world.profiles.latest_etag(LENA))
    items = house.world.table._users[LENA]  # noqa: SLF001 - no port writes such a pointer
    assert items.profile is not None
    digest = hashlib.sha256(content).hexdigest()
    items.profile = replace(items.profile, version_id=version.version_id, sha256=digest)


UNREADABLE = {
    "another owner": (b"---\nuser_id: max\n---\n# User Memory\n", ProfileOwnerMismatch),
    "no utf-8": (b"---\nuser_id: lena\n---\n\xe9\n", ProfileNotUtf8),
    "blank": (b" \n", ProfileBlank),
}


@pytest.mark.parametrize(("content", "error"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_read_is_never_shown_as_an_empty_memory(
    known: House, content: bytes, error: type[Exception]
) -> None:
    commit(known, content)
    with pytest.raises(error):
        known.load()


@pytest.mark.parametrize(("content", "_error"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_nothing_is_written_over_what_cannot_be_read(known: House, content: bytes, _error: type[Exception]) -> None:
    commit(known, content)
    before = [version.version_id for version in known.world.profiles.versions(LENA)]
    known.world.clock.advance(60)
    known.post("t2", "I write Rust.")
    known.work()
    assert known.record("t2").outcome is Outcome.PROFILE_UNREADABLE
    assert [version.version_id for version in known.world.profiles.versions(LENA)] == before


def test_a_profile_of_a_newer_release_is_shown_and_never_overwritten(known: House) -> None:
    latest = known.world.profiles.latest(LENA)
    assert latest is not None
    commit(known, latest.body.replace(b"schema_version: 1", b"schema_version: 2"))
    assert "Lives in Basel." in known.memory()
    known.world.clock.advance(60)
    known.post("t2", "I write Rust.")
    known.work()
    assert known.record("t2").outcome is Outcome.SCHEMA_NEWER


def test_bytes_that_are_not_the_committed_ones_are_refused(known: House) -> None:
    items = known.world.table._users[LENA]  # noqa: SLF001 - no port writes such a pointer
    assert items.profile is not None
    items.profile = replace(items.profile, sha256="0" * 64)
    with pytest.raises(ProfileChecksumMismatch):
        known.load()


def test_a_missing_version_is_an_error_and_makes_turns_wait(known: House) -> None:
    (version,) = known.world.profiles.versions(LENA)
    known.world.profiles.delete_version(LENA, version.version_id)
    with pytest.raises(ProfileVersionMissing):
        known.load()
    known.world.clock.advance(60)
    known.post("t2", "I write Rust.")
    known.work()
    assert (known.record("t2").outcome, known.record("t2").attempts) == (None, 0)


def test_a_version_that_was_replaced_between_query_and_read_is_read_anew(known: House) -> None:
    """The pointer that the query saw is gone with its version when the object is asked for."""
    old = known.world.table.state(LENA).profile
    assert old is not None
    known.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    known.world.clock.advance(60)
    queried = Event()

    def overtake(step: str) -> None:
        if step == "before:profiles.latest":
            assert queried.wait(10)
        elif step == "after:table.state":
            known.world.whenever(lambda _: None)
            known.post("t2", "I write Rust.")
            known.work()
            known.world.profiles.delete_version(LENA, old.version_id)
            queried.set()

    known.world.whenever(overtake)
    view = known.load().view
    assert view is not None
    assert "Writes Rust." in view.memory


def test_an_unchanged_memory_is_known_by_its_etag_without_reading_the_object(known: House) -> None:
    etag = known.load().etag
    steps: list[str] = []
    known.world.whenever(steps.append)
    assert etag is not None
    loaded = known.load(known_etags=frozenset({etag}))
    assert loaded.unchanged
    assert loaded.view is None
    assert not [step for step in steps if "profiles" in step]


@pytest.mark.parametrize("what", ["encoding", "cap", "pins"])
def test_whatever_changes_what_is_shown_changes_the_etag(known: House, what: str) -> None:
    etag = known.load().etag
    if what == "encoding":
        assert known.load(model="gpt-4").etag != etag
        assert known.load(model="gpt-4o").etag == etag
    elif what == "cap":
        known.world.switches.spaces["acme", "s1"] = SpaceSettings(max_tokens=500)
        assert known.load().etag != etag
    else:
        settings = known.world.table.state(LENA).settings
        pin = pin_of(Section.IDENTITY, "Lives in Basel.")
        known.world.table.write_settings(LENA, replace(settings, pins=frozenset({pin})))
        assert known.load().etag != etag


def test_a_space_with_a_lower_limit_is_shown_less_and_stores_no_less(house: House) -> None:
    skills = [f"Has worked for {number} years with the tool called number {number}." for number in range(1, 61)]
    house.learns(body(identity=["Lives in Basel."], skills=skills))
    house.post("t1", "I live in Basel. " + " ".join(skills))
    house.work()
    whole = house.memory()
    assert whole.count("tool called") == 60
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(max_tokens=500)
    view = house.load().view
    assert view is not None
    assert view.trimmed
    assert "Lives in Basel." in view.memory
    assert 0 < view.memory.count("tool called") < 60
    assert view.memory.endswith("<!-- truncated to fit memory budget -->\n")
    house.world.switches.spaces.clear()
    assert house.memory() == whole


def test_the_first_reason_for_memory_being_off_is_told_without_reading_anything(house: House) -> None:
    house.world.switches.companies["acme"] = CompanyFlags()
    steps: list[str] = []
    house.world.whenever(steps.append)
    assert house.load().reason == "company_off"
    assert not [step for step in steps if "table" in step or "profiles" in step]


def test_a_legacy_file_is_shown_and_becomes_ours_with_the_first_change(house: House) -> None:
    house.world.switches.companies["acme"] = replace(COMPANY, legacy=True)
    house.world.profiles.legacy_files[LENA] = LEGACY
    loaded = house.load()
    assert loaded.pointer is not None
    assert loaded.pointer.turn_count == 12
    assert house.memory() == body(identity=["Lives in Graz."])
    house.learns(body(identity=["Lives in Graz."], skills=["Writes Rust."]))
    house.post("t1", "I write Rust.")
    house.work()
    pointer = house.load().pointer
    assert pointer is not None
    assert pointer.turn_count == 13
    assert house.memory() == body(identity=["Lives in Graz."], skills=["Writes Rust."])
    # What no chain of ours has written is scrubbed whole.
    assert "1: Lives in Graz." in house.model.asked("scrub")[0].said_by("user")


def test_a_legacy_file_counts_only_where_the_company_says_so(house: House) -> None:
    house.world.profiles.legacy_files[LENA] = LEGACY
    assert house.load().view is None


@pytest.mark.parametrize("content", [b"", b" \n\n"])
def test_a_blank_legacy_file_counts_as_absent(house: House, content: bytes) -> None:
    house.world.switches.companies["acme"] = replace(COMPANY, legacy=True)
    house.world.profiles.legacy_files[LENA] = content
    assert house.load().view is None


def test_a_legacy_place_that_cannot_be_listed_is_no_empty_memory(house: House) -> None:
    house.world.switches.companies["acme"] = replace(COMPANY, legacy=True)

    def down(step: str) -> None:
        if step == "before:profiles.legacy":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        house.load()
    house.world.whenever(lambda _: None)
