"""Pins and deny rules: written as a whole, applied to what is there, and held against what is on its way."""

from __future__ import annotations

import pytest

from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.deny_rules import KINDS
from context_memory.domain.errors import Contended, EraseRunning, InvalidInput, MemorySwitchedOff, StoreUnavailable
from context_memory.domain.jobs import JobKind
from context_memory.domain.outcomes import Outcome
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from tests.support.house import LENA, House, body

NEW = frozenset({(0, 0)})
HOME = Bullets(identity=("Lives in Basel.", "Went through a divorce in 2024."))
DIVORCE = pin_of(Section.IDENTITY, "Went through a divorce in 2024.")
BASEL = pin_of(Section.IDENTITY, "Lives in Basel.")
NO_KINDS: frozenset[str] = frozenset()


@pytest.fixture
def known(house: House) -> House:
    """Lena has written two things about herself."""
    house.edit(LENA, HOME, expected=NEW)
    return house


def settings(house: House) -> UserSettings:
    return house.world.table.state(LENA).settings


def test_pins_are_replaced_as_a_whole_and_leave_other_rules_alone(known: House) -> None:
    known.deny(LENA, ("salary",), frozenset({"health"}))
    known.pin(LENA, [BASEL, DIVORCE])
    known.pin(LENA, [DIVORCE])
    assert settings(known).pins == {DIVORCE}
    assert settings(known).deny_phrases == ("salary",)
    assert settings(known).deny_kinds == {"health"}


def test_a_pin_of_no_bullet_is_refused_by_its_place(known: House) -> None:
    with pytest.raises(InvalidInput) as refused:
        known.pin(LENA, [BASEL, "f" * 32])
    assert refused.value.field == "pins.1"
    assert settings(known).pins == frozenset()


def test_pins_may_take_half_the_cap_together(house: House) -> None:
    facts = tuple(f"Fact number {number} about a thing that takes some room in a profile." for number in range(30))
    house.edit(LENA, Bullets(work=facts), expected=NEW)
    pins = [pin_of(Section.WORK, fact) for fact in facts]
    house.pin(LENA, pins)
    house.world.companies.replace("acme", CompanySettings(max_tokens=600), version=None)
    with pytest.raises(InvalidInput) as refused:
        house.pin(LENA, pins)
    assert (refused.value.field, "300" in refused.value.detail) == ("pins", True)
    house.pin(LENA, pins[:10] + pins[:10])
    assert len(settings(house).pins) == 10


def test_a_rule_takes_out_what_is_stored_pinned_or_not_and_says_how_much(known: House) -> None:
    known.pin(LENA, [DIVORCE, BASEL])
    assert known.deny(LENA, ("divorce",), NO_KINDS) == 1
    assert known.memory() == body(identity=["Lives in Basel."])
    assert settings(known).pins == {BASEL}
    revision = known.world.table.revision(LENA, 0, 2)
    assert revision is not None
    assert (revision.writer, revision.reason) == (Writer.USER, "deny_rule")


def test_the_same_rules_again_take_out_what_a_crash_left(known: House) -> None:
    def die(step: str) -> None:
        if step == "before:profiles.put":
            raise StoreUnavailable("down")

    known.world.whenever(die)
    with pytest.raises(StoreUnavailable):
        known.deny(LENA, ("divorce",), NO_KINDS)
    known.world.whenever(lambda _: None)
    assert settings(known).deny_phrases == ("divorce",)
    assert "divorce" in known.memory()
    assert known.deny(LENA, ("divorce",), NO_KINDS) == 1
    assert "divorce" not in known.memory()


def test_a_scrub_that_knows_kinds_is_asked_for_before_the_rules_count(known: House) -> None:
    known.world.jobs.sent.clear()
    seen: list[str] = []
    known.world.whenever(seen.append)
    known.deny(LENA, (), frozenset({"health"}))
    assert seen.index("after:agenda.note") < seen.index("before:table.change_rules")
    assert [sent.job.kind for sent in known.world.jobs.sent] == [JobKind.FOLLOW_UP]  # type: ignore[union-attr]  # a user's


def test_taking_rules_back_asks_for_nothing(known: House) -> None:
    known.deny(LENA, ("salary",), NO_KINDS)
    known.world.jobs.sent.clear()
    assert known.deny(LENA, (), NO_KINDS) == 0
    assert known.world.jobs.sent == []
    assert settings(known).deny_phrases == ()


def test_a_turn_in_flight_cannot_store_what_a_rule_forbids_meanwhile(known: House) -> None:
    known.model.script("gate", lambda _: "UPDATE")
    known.model.script("consolidation", lambda _: body(identity=[*HOME.identity, "Earns a salary of 90000."]))
    known.model.script("scrub", lambda _: "CLEAN")
    known.post("t1", "My salary is 90000.")

    def deny(step: str) -> None:
        if step == "before:table.settle":
            known.world.whenever(lambda _: None)
            known.deny(LENA, ("salary",), NO_KINDS)

    known.world.whenever(deny)
    known.work()
    assert known.record("t1").outcome is Outcome.UNCHANGED
    assert known.memory() == body(identity=[*HOME.identity])


@pytest.mark.parametrize("purpose", ["gate", "consolidation", "scrub"])
def test_whoever_reads_a_turn_is_told_what_its_user_denies_in_words(known: House, purpose: str) -> None:
    known.deny(LENA, ("my salary",), frozenset({"health"}))
    known.learns(body(identity=[*HOME.identity], skills=["Writes Rust."]))
    known.post("t1", "I write Rust.")
    known.work()
    assert known.record("t1").outcome is Outcome.UPDATED
    said = known.model.asked(purpose)[-1].said_by("user")
    assert all(rule in said for rule in ("my salary", KINDS["health"]))
    assert KINDS["religion"] not in said


def test_what_a_rule_forbids_is_kept_out_of_every_users_edit(known: House) -> None:
    known.deny(LENA, ("salary",), NO_KINDS)
    changed = known.edit(LENA, Bullets(identity=("Earns a SALARY.", "Lives in Basel.")), expected=frozenset({(0, 1)}))
    assert [one.reason for one in changed.dropped] == ["deny_rule"]
    assert known.memory() == body(identity=["Lives in Basel."])


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        (UserSettings(context_memory=False), MemorySwitchedOff),
        (UserSettings(epoch=1, erase_running=True), EraseRunning),
    ],
)
def test_where_there_is_no_memory_there_are_no_rules(
    house: House, changed: UserSettings, error: type[Exception]
) -> None:
    house.world.table.write_settings(LENA, changed)
    for act in (lambda: house.pin(LENA, []), lambda: house.deny(LENA, ("x",), NO_KINDS)):
        with pytest.raises(error):
            act()
    assert settings(house) == changed


def test_rules_that_others_keep_changing_are_given_up_on(known: House) -> None:
    def always_faster(step: str) -> None:
        if step == "before:table.change_rules":
            now = settings(known)
            known.world.table.write_settings(LENA, UserSettings(rules=now.rules + 1))

    known.world.whenever(always_faster)
    with pytest.raises(Contended):
        known.pin(LENA, [BASEL])


def test_of_two_who_set_rules_at_once_neither_undoes_the_others_kind(known: House) -> None:
    def in_between(step: str) -> None:
        if step == "before:table.change_rules":
            known.world.whenever(lambda _: None)
            known.pin(LENA, [BASEL])

    known.world.whenever(in_between)
    known.deny(LENA, ("salary",), NO_KINDS)
    assert settings(known).pins == {BASEL}
    assert settings(known).deny_phrases == ("salary",)
