"""Changes that rest on no turn: nothing is lost, nothing is brought in that may not stand, and somebody follows up."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.admitting import Dropped, Refused
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import (
    Contended,
    EraseRunning,
    MemorySwitchedOff,
    OverCap,
    ProfileConflict,
    StoreUnavailable,
)
from context_memory.domain.jobs import JobKind
from context_memory.domain.operations import OperationKind
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from context_memory.ports.users import Rules
from tests.support.house import LENA, PROMPTS, House, body

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from context_memory.application.changing.wanted import Changed, Standing

BASEL = "Lives in Basel."


@pytest.fixture
def house() -> Iterator[House]:
    with House() as built:
        yield built


def identity(house: House, *bullets: str, writer: Writer = Writer.USER, **more: object) -> Changed:
    """Make the Identity section hold these bullets and nothing else of it."""

    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.IDENTITY, bullets))

    return house.change(LENA, writer, make, **more)  # type: ignore[arg-type]  # as the use case


def test_what_is_typed_is_stored_with_who_and_what(house: House) -> None:
    changed = identity(house, BASEL)
    assert changed.stored
    assert changed.version == (0, 1)
    assert f"- {BASEL}" in house.memory()
    revision = house.world.table.revision(LENA, 0, 1)
    assert revision is not None
    assert (revision.writer, revision.sources, revision.model) == (Writer.USER, (), None)
    assert [(one.kind, one.after) for one in revision.operations] == [(OperationKind.ADDED, BASEL)]


def test_the_same_again_stores_nothing(house: House) -> None:
    identity(house, BASEL)
    assert not identity(house, f"  {BASEL}  ").stored
    assert house.world.table.revision(LENA, 0, 2) is None


def test_nobody_gets_an_empty_profile(house: House) -> None:
    assert not identity(house).stored
    assert house.world.table.state(LENA).profile is None


def test_what_follows_is_noted_before_the_commit(house: House) -> None:
    def refuse(step: str) -> None:
        if step == "before:table.settle":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    with pytest.raises(StoreUnavailable):
        identity(house, BASEL)
    today = house.world.clock.now().date()
    assert house.world.agenda.due("acme", today) == []  # a message is on its way already
    assert [entry.kind for entry in house.world.agenda.due("acme", today + timedelta(days=1))] == [JobKind.FOLLOW_UP]
    later = house.world.agenda.due("acme", today + timedelta(days=91))
    assert [entry.kind for entry in later] == [JobKind.FOLLOW_UP, JobKind.TIDY]


def test_nothing_is_stored_that_nobody_could_follow_up(house: House) -> None:
    def refuse(step: str) -> None:
        if step == "before:agenda.note":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    with pytest.raises(StoreUnavailable):
        identity(house, BASEL)
    assert house.memory() == ""


def test_a_job_that_is_asked_for_before_the_commit_is_not_seen_before_it_is_through(house: House) -> None:
    committed_at: list[datetime] = []

    def look(step: str) -> None:
        if step == "before:table.settle":
            committed_at.append(house.world.clock.now())

    house.world.whenever(look)
    identity(house, BASEL)
    assert [sent.job.kind for sent in house.world.jobs.sent] == [JobKind.FOLLOW_UP]  # type: ignore[union-attr]  # a user's
    assert house.world.jobs.sent[0].visible_at > committed_at[0]


def test_a_queue_that_is_down_does_not_keep_a_change_from_being_stored(house: House) -> None:
    def refuse(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    assert identity(house, BASEL).stored


def test_whoever_names_an_older_version_is_told_which_one_stands(house: House) -> None:
    identity(house, BASEL)
    identity(house, "Lives in Bern.")
    with pytest.raises(ProfileConflict) as conflict:
        identity(house, "Lives in Genf.", expected=frozenset({(0, 1)}))
    assert conflict.value.version == (0, 2)
    assert "Bern" in house.memory()


def test_asking_again_for_what_stands_already_is_no_conflict(house: House) -> None:
    identity(house, BASEL)
    changed = identity(house, BASEL, expected=frozenset({(0, 0)}))
    assert (changed.stored, changed.version) == (False, (0, 1))


def test_a_turn_that_was_faster_stays_below_a_change_that_named_no_version(house: House) -> None:
    once = ["first"]

    def a_turn_comes_in_between(step: str) -> None:
        if step == "before:table.settle" and once:
            once.clear()
            house.learns(body(identity=["Plays the cello."]))
            house.post("t1", "I play the cello.")
            house.work()

    def add(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.WORK, ("Leads a team.",)))

    house.world.whenever(a_turn_comes_in_between)
    assert house.change(LENA, Writer.IMPORT, add).stored
    assert "Plays the cello." in house.memory()
    assert "Leads a team." in house.memory()


def test_a_profile_that_never_rests_is_left_alone_after_a_while(house: House) -> None:
    numbers = iter(range(100))
    busy: list[str] = []

    def always_faster(step: str) -> None:
        if step == "before:table.settle" and not busy:
            busy.append(step)
            identity(house, f"Fact {next(numbers)}.")
            busy.clear()

    def add(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.WORK, ("Leads a team.",)))

    house.world.whenever(always_faster)
    with pytest.raises(Contended):
        house.change(LENA, Writer.IMPORT, add)
    assert "Leads a team." not in house.memory()


@pytest.mark.parametrize("moment", ["after:table.state", "before:profiles.put", "before:table.settle"])
def test_rules_that_are_set_meanwhile_hold_for_the_change(house: House, moment: str) -> None:
    once = ["first"]

    def deny(step: str) -> None:
        if step == moment and once:
            once.clear()
            settings = house.world.table.state(LENA).settings
            rules = Rules(pins=frozenset(), deny_phrases=("basel",), deny_kinds=frozenset())
            house.world.table.change_rules(LENA, settings, rules)

    house.world.whenever(deny)
    changed = identity(house, BASEL, "Plays the cello.")
    assert changed.dropped == (Dropped(Section.IDENTITY, BASEL, Refused.DENY_RULE),)
    assert "Basel" not in house.memory()
    assert "cello" in house.memory()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        (UserSettings(context_memory=False), MemorySwitchedOff),
        (UserSettings(epoch=1, erase_running=True), EraseRunning),
    ],
)
def test_where_there_is_no_memory_nothing_is_stored(
    house: House, settings: UserSettings, error: type[Exception]
) -> None:
    house.world.table.write_settings(LENA, settings)
    with pytest.raises(error):
        identity(house, BASEL)
    assert house.world.table.state(LENA).profile is None


def test_an_erase_between_looking_and_storing_wins(house: House) -> None:
    def erase(step: str) -> None:
        if step == "before:table.settle":
            house.world.table.write_settings(LENA, UserSettings(epoch=1, erase_running=True))

    house.world.whenever(erase)
    with pytest.raises(EraseRunning):
        identity(house, BASEL)
    assert house.world.table.state(LENA).profile is None
    assert house.world.profiles.versions(LENA) == []


def test_secrets_hidden_signs_and_our_own_sentences_do_not_stand(house: House) -> None:
    ours = max(PROMPTS.sentences(), key=len)
    changed = identity(house, "IBAN is CH93 0076 2011 6238 5295 7.", "Lives\u200b in Basel.", ours)
    assert {dropped.reason for dropped in changed.dropped} == {Refused.SECRET, Refused.OURS}
    assert all(dropped.text is None for dropped in changed.dropped if dropped.reason is Refused.SECRET)
    assert changed.profile.bullets.identity == (BASEL,)


def test_what_a_user_types_may_hold_their_own_links_and_what_is_imported_may_not(house: House) -> None:
    link = "Writes at [my page](https://lena.example/blog)."
    assert identity(house, link).profile.bullets.identity == (link,)
    imported = identity(house, "Reads [this](https://evil.example/x).", writer=Writer.IMPORT)
    assert imported.profile.bullets.identity == ("Reads this.",)


def test_a_user_is_told_what_is_too_long_and_what_others_bring_is_trimmed(house: House) -> None:
    house.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    long = [f"Fact number {number} that takes some room in the profile." for number in range(60)]
    with pytest.raises(OverCap) as refused:
        identity(house, *long)
    assert refused.value.cap == 500
    assert house.memory() == ""
    trimmed = identity(house, *long, writer=Writer.IMPORT)
    assert trimmed.stored
    assert trimmed.tokens <= 500


def test_what_a_user_has_pinned_is_not_trimmed_for_what_others_bring(house: House) -> None:
    pinned = "Plays the cello in an orchestra on Sundays."
    house.edit(LENA, Bullets(skills=("Writes Rust.", pinned)), expected=frozenset({(0, 0)}))
    house.pin(LENA, [pin_of(Section.SKILLS, pinned)])
    house.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    long = [f"Fact number {number} that takes some room in the profile." for number in range(60)]
    assert identity(house, *long, writer=Writer.IMPORT).profile.bullets.skills == (pinned,)


def test_history_does_not_keep_a_secret_that_the_user_takes_out(house: House) -> None:
    iban = "CH93 0076 2011 6238 5295 7"
    house.world.companies.replace("acme", CompanySettings(legacy=True), version=None)
    house.world.profiles.legacy_files[LENA] = f"# User Memory\n\n## Identity\n- Pays from {iban}.\n".encode()
    identity(house, BASEL)
    revision = house.world.table.revision(LENA, 0, 1)
    assert revision is not None
    assert len(revision.operations) > 0
    assert iban not in str(revision.operations)


def test_a_profile_that_is_too_long_already_may_get_shorter(house: House) -> None:
    long = [f"Fact number {number} that takes some room in the profile." for number in range(60)]
    identity(house, *long)
    house.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    assert identity(house, *long[1:]).stored


def test_pins_move_with_the_change_and_only_with_it(house: House) -> None:
    identity(house, BASEL)
    pinned = pin_of(Section.IDENTITY, BASEL)
    house.world.table.change_rules(
        LENA, UserSettings(), Rules(pins=frozenset({pinned}), deny_phrases=(), deny_kinds=frozenset())
    )
    moved = pin_of(Section.IDENTITY, "Lives in Bern.")

    def make(_standing: Standing) -> Wanted:
        return Wanted(bullets=Bullets(identity=("Lives in Bern.",)), pins=lambda _stands: frozenset({moved}))

    assert house.change(LENA, Writer.USER, make).pins == {moved}
    assert house.world.table.state(LENA).settings.pins == {moved}


def test_a_preview_says_the_same_and_stores_nothing(house: House) -> None:
    def make(_standing: Standing) -> Wanted:
        return Wanted(bullets=Bullets(identity=(BASEL, "Card 4111 1111 1111 1111.")))

    preview = house.change.preview(LENA, Writer.IMPORT, make)
    assert house.world.table.state(LENA).profile is None
    assert house.world.jobs.sent == []
    stored = house.change(LENA, Writer.IMPORT, make)
    assert (preview.operations, preview.dropped, preview.hits) == (stored.operations, stored.dropped, stored.hits)
    assert preview.hits == {"card": 1}


def test_a_legacy_file_is_moved_by_the_first_change_and_its_clean_up_is_noted(house: House) -> None:
    house.world.companies.replace("acme", CompanySettings(legacy=True), version=None)
    house.world.profiles.legacy_files[LENA] = b"# User Memory\n\n## Work Context\n- Leads a team.\n"
    identity(house, BASEL)
    assert "Leads a team." in house.memory()
    today = house.world.clock.now().date()
    assert [entry.kind for entry in house.world.agenda.due("acme", today + timedelta(days=1))] == [
        JobKind.FOLLOW_UP,
        JobKind.LEGACY,
    ]


def test_what_no_scrub_has_seen_is_scrubbed_whole_with_the_next_turn(house: House) -> None:
    identity(house, BASEL, "Has a colleague named Ben who is ill.")
    house.learns(body(identity=[BASEL, "Has a colleague named Ben who is ill.", "Plays the cello."]), scrub="2 DROP")
    house.post("t1", "I play the cello.")
    house.work()
    assert house.memory().count("Ben") == 0
    assert "cello" in house.memory()
