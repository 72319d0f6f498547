"""What users see of their history, bring back and unlearn."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.account.answers import origins_body, revisions_body, unlearning_body
from context_memory.domain.admitting import Refused
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.condemnation import Condemnation
from context_memory.domain.errors import ProfileConflict, RevisionGone, StoreUnavailable, UnknownRevision
from context_memory.domain.ids import UserKey
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.writers import Writer
from context_memory.ports.users import Rules
from tests.support.house import LENA, PROMPTS, body
from tests.support.past import BASEL, DOG, SAILS, forget_the_dog, identity, write

if TYPE_CHECKING:
    from tests.support.house import House


def test_revisions_are_shown_newest_first_in_pages(house: House) -> None:
    for number in range(1, 6):
        write(house, *(f"Fact number {n}." for n in range(number)), BASEL)
    first = house.history.page(LENA, before=None, limit=2)
    second = house.history.page(LENA, before=first.following, limit=2)
    last = house.history.page(LENA, before=second.following, limit=2)
    assert [[one.turn_count for one in page.revisions] for page in (first, second, last)] == [[5, 4], [3, 2], [1]]
    assert last.following is None
    assert revisions_body(first)["next"] == 4


def test_a_user_without_history_has_an_empty_one(house: House) -> None:
    assert revisions_body(house.history.page(LENA, before=None, limit=20)) == {"revisions": [], "next": None}
    assert house.history.origins(LENA) == []
    with pytest.raises(UnknownRevision):
        house.history.one(LENA, 1)


def test_a_revision_shows_what_stood_after_it(house: House) -> None:
    write(house, BASEL)
    write(house, SAILS)
    assert house.history.one(LENA, 1).memory == body(identity=[BASEL])


def test_a_revision_whose_version_is_gone_is_shown_without_content(house: House) -> None:
    write(house, BASEL)
    write(house, SAILS)
    seen = house.history.one(LENA, 1)
    house.world.profiles.delete_version(LENA, seen.revision.version_id)
    assert house.history.one(LENA, 1).memory is None
    with pytest.raises(RevisionGone):
        house.restore(LENA, 1)


def test_nobody_sees_the_history_of_another(house: House) -> None:
    write(house, BASEL)
    other = UserKey("acme", "lena/")
    assert house.history.page(other, before=None, limit=20).revisions == []
    with pytest.raises(UnknownRevision):
        house.restore(other, 1)


def test_a_bullet_says_where_it_comes_from(house: House) -> None:
    house.learns(body(identity=[BASEL]))
    house.post("t1", "I live in Basel.", chat_id="c1")
    house.work()
    write(house, "Lives in Basel near the Rhine.")
    (bullet,) = origins_body(house.history.origins(LENA))["bullets"]
    assert bullet["id"] == pin_of(Section.IDENTITY, bullet["text"])
    assert [(step["revision"], step["kind"], step["writer"], step["turn_id"]) for step in bullet["chain"]] == [
        (1, "added", "turn", "t1"),
        (2, "changed", "user", None),
    ]
    assert [step["model"] for step in bullet["chain"]] == ["large", None]
    assert [step["prompt_version"] for step in bullet["chain"]] == [PROMPTS.version, None]


def test_an_older_content_comes_back_as_a_new_revision(house: House) -> None:
    write(house, BASEL, SAILS)
    write(house, SAILS)
    changed = house.restore(LENA, 1)
    assert changed.stored
    assert identity(house) == (BASEL, SAILS)
    revision = house.world.table.revision(LENA, 0, 3)
    assert revision is not None
    assert (revision.writer, revision.restored) == (Writer.RESTORE, 1)


def test_restoring_what_stands_stores_nothing(house: House) -> None:
    write(house, BASEL)
    assert not house.restore(LENA, 1).stored


def test_a_restore_that_named_another_version_is_told_so(house: House) -> None:
    write(house, BASEL)
    write(house, SAILS)
    with pytest.raises(ProfileConflict) as conflict:
        house.restore(LENA, 1, expected=frozenset({(0, 1)}))
    assert conflict.value.version == (0, 2)


def test_a_restore_heeds_the_rules_of_today(house: House) -> None:
    write(house, BASEL, DOG)
    write(house, BASEL, SAILS)
    table = house.world.table
    table.change_rules(
        LENA,
        table.state(LENA).settings,
        Rules(pins=frozenset({pin_of(Section.IDENTITY, SAILS)}), deny_phrases=("dog",), deny_kinds=frozenset()),
    )
    changed = house.restore(LENA, 1)
    assert [(one.text, one.reason) for one in changed.dropped] == [(DOG, Refused.DENY_RULE)]
    assert identity(house) == (BASEL, SAILS)


def test_a_restored_content_is_trimmed_to_the_cap_of_today(house: House) -> None:
    skills = tuple(f"Knows the instrument number {number} of the orchestra." for number in range(60))
    house.edit(LENA, Bullets(identity=(BASEL,), skills=skills), expected=frozenset({(0, 0)}))
    write(house, SAILS)
    house.edit(LENA, Bullets(identity=(SAILS,)), expected=frozenset({(0, 2)}))
    house.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    changed = house.restore(LENA, 1)
    assert changed.tokens <= 500
    assert changed.cut
    assert identity(house) == (BASEL,)


def test_within_seven_days_a_forgetting_can_be_undone_and_is_then_none(house: House) -> None:
    write(house, BASEL, DOG)
    forget_the_dog(house, "t1", BASEL)
    assert len(house.world.table.forgotten(LENA)) == 1
    house.world.clock.advance(timedelta(days=6).total_seconds())
    house.restore(LENA, 1)
    assert identity(house) == (BASEL, DOG)
    assert house.world.table.forgotten(LENA) == {}


def test_an_undone_forgetting_that_still_counts_as_one_does_not_undo_the_undoing(house: House) -> None:
    write(house, BASEL, DOG)
    forget_the_dog(house, "t1", BASEL)

    def refuse(step: str) -> None:
        if step == "before:table.recall_forgotten":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    assert house.restore(LENA, 1).stored
    assert DOG in identity(house)


def test_after_seven_days_a_restore_skips_what_was_forgotten_though_nobody_has_redacted_yet(house: House) -> None:
    write(house, BASEL, DOG)
    forget_the_dog(house, "t1", BASEL)
    house.world.clock.advance(timedelta(days=8).total_seconds())
    changed = house.restore(LENA, 1)
    assert [one.reason for one in changed.dropped] == [Refused.FORGOTTEN]
    assert identity(house) == (BASEL,)


def test_a_wiped_memory_comes_back(house: House) -> None:
    facts = [BASEL, SAILS, "Plays the cello.", "Works as a nurse.", "Is left-handed."]
    write(house, *facts)
    house.model.queue("gate", "FORGET")
    house.model.queue("consolidation", f"FORGET\n{body()}")
    house.post("t1", "Forget everything, please.")
    house.work()
    assert identity(house) == ()
    house.restore(LENA, 1)
    assert identity(house) == tuple(facts)


def test_what_is_unlearned_is_seen_before_and_stored_as_a_revision(house: House) -> None:
    write(house, BASEL)
    house.learns(body(identity=[BASEL, SAILS]))
    house.post("t1", "I sail a lot: sails, sailing.", chat_id="c1")
    house.work()
    assert identity(house) == (BASEL, SAILS)
    condemned = Condemnation(chat_ids=frozenset({"c1"}))
    preview = house.unlearn.preview(LENA, condemned)
    assert identity(house) == (BASEL, SAILS)
    assert unlearning_body(preview, '"0-2"')["revisions"] == [2]
    assert [(one.kind.value, one.before) for one in preview.changed.operations] == [("removed", SAILS)]
    applied = house.unlearn.apply(LENA, condemned, expected=frozenset({(0, 2)}))
    assert (applied.changed.stored, applied.revisions) == (True, (2,))
    assert identity(house) == (BASEL,)
    revision = house.world.table.revision(LENA, 0, 3)
    assert revision is not None
    assert (revision.writer, revision.unlearned) == (Writer.UNLEARN, condemned)
    assert not house.unlearn.apply(LENA, condemned).changed.stored


def test_a_pin_does_not_protect_what_is_unlearned_and_the_preview_says_so(house: House) -> None:
    house.learns(body(identity=[BASEL]))
    house.post("t1", "I live in Basel.")
    house.work()
    write(house, BASEL, SAILS)
    pins = house.pin(LENA, [pin_of(Section.IDENTITY, BASEL), pin_of(Section.IDENTITY, SAILS)])
    condemned = Condemnation(turn_ids=frozenset({"t1"}))
    assert house.unlearn.preview(LENA, condemned).pinned == {pin_of(Section.IDENTITY, BASEL)}
    house.unlearn.apply(LENA, condemned)
    assert identity(house) == (SAILS,)
    assert house.world.table.state(LENA).settings.pins == pins - {pin_of(Section.IDENTITY, BASEL)}


def test_an_unlearning_does_not_bring_back_what_the_user_asked_to_forget(house: House) -> None:
    write(house, BASEL, DOG)
    forget_the_dog(house, "t1", BASEL)
    changed = house.unlearn.apply(LENA, Condemnation(turn_ids=frozenset({"t1"}))).changed
    assert [one.reason for one in changed.dropped] == [Refused.FORGOTTEN]
    assert identity(house) == (BASEL,)
