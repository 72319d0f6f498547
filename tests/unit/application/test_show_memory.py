from __future__ import annotations

from dataclasses import replace

import pytest

from context_memory.application.answers import remembered_body
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import FlagsUnavailable, ProfileOwnerMismatch, StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.profile import Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.ports.users import Rules
from tests.support.house import LENA, House, body

BASEL = body(identity=["Lives in Basel."], skills=["Writes Rust,\nand some Go."])
LEGACY = b"---\nuser_id: lena\nturn_count: 12\n---\n# User Memory\n## Identity\n* Lives in Graz.\n"
COMPANY = CompanyFlags(context_memory=True, context_memory_with_web_search=True)


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory holds two bullets."""
    house.learns(BASEL)
    house.post("t1", "I live in Basel. I write Rust,\nand some Go.")
    house.work()
    return house


def flags_are_out_of_reach(step: str) -> None:
    if step == "before:switches.flags":
        raise FlagsUnavailable("The flags are out of reach.")


def shown_bullet(section: Section, text: str, *, pinned: bool = False) -> dict[str, object]:
    return {"id": pin_of(section, text), "text": text, "pinned": pinned}


def pin(house: House, *pins: str) -> None:
    settings = house.world.table.state(LENA).settings
    house.world.table.change_rules(LENA, settings, Rules(pins=frozenset(pins), deny_phrases=(), deny_kinds=frozenset()))


def test_a_user_sees_all_that_is_remembered_by_section_and_as_markdown(known: House) -> None:
    pin(known, pin_of(Section.SKILLS, "Writes Rust, and some Go."))
    shown = remembered_body(known.show())
    assert shown["sections"] == [
        {"heading": "Identity", "bullets": [shown_bullet(Section.IDENTITY, "Lives in Basel.")]},
        {"heading": "Communication Preferences", "bullets": []},
        {"heading": "Work Context", "bullets": []},
        {
            "heading": "Skills & Expertise",
            "bullets": [shown_bullet(Section.SKILLS, "Writes Rust,\nand some Go.", pinned=True)],
        },
        {"heading": "Follow-ups", "bullets": []},
        {"heading": "Recent Topics", "bullets": []},
    ]
    assert shown["memory"] == known.memory()
    assert (shown["enabled"], shown["reason"]) == (True, None)
    assert shown["version"] is not None
    assert shown["freshness"] == {
        "consolidated_through": known.world.clock.now().isoformat(timespec="seconds"),
        "pending": 0,
        "failed": 0,
    }


def test_a_stranger_has_nothing_and_that_is_no_error(house: House) -> None:
    shown = remembered_body(house.show())
    assert (shown["sections"], shown["memory"], shown["version"], shown["enabled"]) == ([], None, None, True)


def test_a_cap_that_hides_bullets_from_chats_hides_none_from_their_owner(house: House) -> None:
    skills = [f"Has worked for {number} years with the tool called number {number}." for number in range(1, 61)]
    house.learns(body(skills=skills))
    house.post("t1", " ".join(skills))
    house.work()
    house.world.switches.companies["acme"] = replace(COMPANY, max_tokens=500)
    assert house.memory().count("tool called") < 60
    profile = house.show().profile
    assert profile is not None
    assert profile.memory.count("tool called") == len(profile.bullets.skills) == 60


@pytest.mark.parametrize(
    ("flags", "off", "reason"),
    [
        (CompanyFlags(), False, "company_off"),
        (COMPANY, True, "user_off"),
        (replace(COMPANY, context_memory_with_web_search=False), False, None),
    ],
)
def test_a_memory_that_is_not_used_is_shown_with_the_reason(
    known: House,
    flags: CompanyFlags,
    off: bool,  # noqa: FBT001 - what is tested
    reason: str | None,
) -> None:
    known.world.switches.companies["acme"] = flags
    settings = known.world.table.state(LENA).settings
    known.world.table.write_settings(LENA, replace(settings, context_memory=not off))
    shown = known.show()
    assert (shown.enabled, shown.reason) == (reason is None, reason)
    assert shown.profile is not None
    assert "Lives in Basel." in shown.profile.memory


def test_flags_out_of_reach_leave_open_whether_the_memory_is_used_and_hide_nothing(known: House) -> None:
    known.world.whenever(flags_are_out_of_reach)
    shown = known.show()
    assert (shown.enabled, shown.reason) == (None, "flags_unavailable")
    assert shown.profile is not None
    assert "Lives in Basel." in shown.profile.memory


def test_whether_an_older_file_counts_is_never_guessed(house: House) -> None:
    house.world.profiles.legacy_files[LENA] = LEGACY
    house.world.whenever(flags_are_out_of_reach)
    with pytest.raises(FlagsUnavailable):
        house.show()


def test_an_older_file_is_shown_where_the_company_lets_it_count(house: House) -> None:
    house.world.profiles.legacy_files[LENA] = LEGACY
    assert house.show().profile is None
    house.world.switches.companies["acme"] = replace(COMPANY, legacy=True)
    profile = house.show().profile
    assert profile is not None
    assert profile.bullets.identity == ("Lives in Graz.",)


def test_an_unchanged_memory_is_known_by_its_etag_without_reading_the_object(known: House) -> None:
    first = known.show()
    steps: list[str] = []
    known.world.whenever(steps.append)
    again = known.show(LENA, first.etag)
    assert (again.unchanged, again.etag, again.profile) == (True, first.etag, None)
    assert not [step for step in steps if "profiles" in step]


def test_a_change_of_the_memory_or_of_its_use_changes_the_etag(known: House) -> None:
    first = known.show().etag
    known.world.switches.companies["acme"] = CompanyFlags()
    off = known.show().etag
    known.world.switches.companies.clear()
    known.learns(body(identity=["Lives in Basel."], skills=["Writes Rust,\nand some Go."], topics=["Trains."]))
    known.world.clock.advance(60)
    known.post("t2", "Tell me about trains.")
    known.work()
    learned = known.show().etag
    pin(known, pin_of(Section.TOPICS, "Trains."))
    assert len({first, off, learned, known.show().etag}) == 4


def test_the_etag_begins_with_what_a_change_of_the_memory_moves_on_from(known: House) -> None:
    assert known.show().etag.startswith('"0-1-')
    assert known.show(UserKey("acme", "stranger")).etag.startswith('"0-0-')
    known.world.table.write_settings(LENA, UserSettings(epoch=3))
    assert known.show().etag.startswith('"3-0-')


def test_a_version_that_was_replaced_between_query_and_read_is_read_anew(known: House) -> None:
    old = known.world.table.state(LENA).profile
    assert old is not None
    known.learns(body(identity=["Lives in Basel."], skills=["Writes Rust,\nand some Go.", "Writes Haskell."]))

    def overtake(step: str) -> None:
        if step == "after:table.state":
            known.world.whenever(lambda _: None)
            known.world.clock.advance(60)
            known.post("t2", "I write Haskell.")
            known.work()
            known.world.profiles.delete_version(LENA, old.version_id)

    known.world.whenever(overtake)
    shown = known.show()
    assert shown.profile is not None
    assert "Writes Haskell." in shown.profile.bullets.skills
    assert shown.etag == known.show().etag


def test_what_belongs_to_somebody_else_is_never_shown(known: House) -> None:
    max_ = UserKey("acme", "max")
    items = known.world.table._users  # noqa: SLF001 - no port writes such a pointer
    items[max_] = items[LENA]
    version = known.world.profiles.latest(LENA)
    assert version is not None
    put = known.world.profiles.put(max_, version.body, replaces=None)
    assert items[max_].profile is not None
    items[max_].profile = replace(items[max_].profile, version_id=put.version_id)  # type: ignore[type-var] # not None
    with pytest.raises(ProfileOwnerMismatch):
        known.show(max_)


def test_a_store_out_of_reach_is_an_error_and_no_empty_memory(known: House) -> None:
    def down(step: str) -> None:
        if step == "before:profiles.version":
            raise StoreUnavailable("The store is down.")

    known.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        known.show()
