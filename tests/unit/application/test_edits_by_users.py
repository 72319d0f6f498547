"""A user's own hand: what they write stands, whoever else writes at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.application.account.answers import changes_body, preview_body
from context_memory.domain.editing.importing import Mode, imported_markdown
from context_memory.domain.errors import ProfileConflict
from context_memory.domain.outcomes import Outcome
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.scripted_model import Asked

BASEL = Bullets(identity=("Lives in Basel.",))
NEW = frozenset({(0, 0)})
FIRST = frozenset({(0, 1)})
IBAN = "CH93 0076 2011 6238 5295 7"


@pytest.fixture
def known(house: House) -> House:
    """Lena has written herself where she lives."""
    house.edit(LENA, BASEL, expected=NEW)
    return house


def answered(house: House) -> None:
    """A model that adds what the turns say to what the profile holds."""

    def facts(asked: Asked) -> str:
        said = asked.said_by("user")
        towns = [town for town in ("Basel", "Bern") if f"Lives in {town}." in said or f"I live in {town}" in said]
        return body(identity=[f"Lives in {town}." for town in towns], skills=["Writes Rust."] if "Rust" in said else [])

    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", facts)
    house.model.script("scrub", lambda _: "CLEAN")


def during(house: House, step: str, act: Callable[[], object]) -> None:
    """Do something once, at a step."""

    def strike(name: str) -> None:
        if name == step:
            house.world.whenever(lambda _: None)
            act()

    house.world.whenever(strike)


def test_an_edit_during_a_consolidation_survives_and_the_turn_is_applied_on_top(known: House) -> None:
    answered(known)
    known.post("t1", "I write Rust.")
    bern = Bullets(identity=("Lives in Bern.",))
    during(known, "before:profiles.put", lambda: known.edit(LENA, bern, expected=FIRST))
    known.work()
    assert known.memory() == body(identity=["Lives in Bern."], skills=["Writes Rust."])
    assert known.record("t1").outcome is Outcome.UPDATED
    writers = [known.world.table.revision(LENA, 0, number) for number in (1, 2, 3)]
    assert [revision and revision.writer for revision in writers] == [Writer.USER, Writer.USER, Writer.TURN]


def test_an_edit_that_a_turn_has_overtaken_is_refused_and_told_what_stands(known: House) -> None:
    answered(known)
    known.post("t1", "I write Rust.")
    during(known, "before:table.settle", known.work)
    with pytest.raises(ProfileConflict) as refused:
        known.edit(LENA, Bullets(identity=("Lives in Bern.",)), expected=FIRST)
    assert refused.value.version == (0, 2)
    assert known.memory() == body(identity=["Lives in Basel."], skills=["Writes Rust."])


def test_of_two_edits_at_once_one_is_refused(known: House) -> None:
    bern = Bullets(identity=("Lives in Bern.",))
    during(known, "before:table.settle", lambda: known.edit(LENA, bern, expected=FIRST))
    with pytest.raises(ProfileConflict) as refused:
        known.edit(LENA, Bullets(identity=("Lives in Graz.",)), expected=FIRST)
    assert refused.value.version == (0, 2)
    assert known.memory() == body(identity=["Lives in Bern."])


def test_an_edit_whose_answer_was_lost_may_be_sent_again(known: House) -> None:
    bern = Bullets(identity=("Lives in Bern.",))
    known.edit(LENA, bern, expected=FIRST)
    again = known.edit(LENA, bern, expected=FIRST)
    assert (again.stored, again.version) == (False, (0, 2))


def test_a_pin_stays_on_what_the_user_made_of_the_bullet_and_not_on_what_the_policy_refused(known: House) -> None:
    known.pin(LENA, [pin_of(Section.IDENTITY, "Lives in Basel.")])
    known.edit(LENA, Bullets(identity=(f"Lives in Basel, pays from {IBAN}.",)), expected=FIRST)
    assert known.world.table.state(LENA).settings.pins == {pin_of(Section.IDENTITY, "Lives in Basel.")}
    known.edit(LENA, Bullets(identity=("Lives in Basel since 2019.",)), expected=FIRST)
    assert known.world.table.state(LENA).settings.pins == {pin_of(Section.IDENTITY, "Lives in Basel since 2019.")}
    known.edit(LENA, Bullets(skills=("Writes Rust.",)), expected=frozenset({(0, 2)}))
    assert known.world.table.state(LENA).settings.pins == frozenset()


def test_the_user_is_told_what_was_changed_and_what_may_not_stand(known: House) -> None:
    wanted = Bullets(identity=("Lives in Bern.",), work=(f"Pays from {IBAN}.", "\u202e"))
    changes = changes_body(known.edit(LENA, wanted, expected=FIRST))
    assert changes == {
        "operations": [
            {"kind": "changed", "section": "Identity", "before": "Lives in Basel.", "after": "Lives in Bern."}
        ],
        "dropped": [
            {"section": "Work Context", "reason": "hidden", "text": "\u202e"},
            {"section": "Work Context", "reason": "secret"},
        ],
        "cut": [],
    }


def test_a_preview_tells_what_the_policy_would_take_out_by_kind_and_what_the_cap_would_cut(known: House) -> None:
    lines = "\n".join(f"- Fact number {number} about a thing that takes some room here." for number in range(200))
    text = f"## Identity\n- Lives in Basel.\n- Pays from {IBAN}.\n## Work Context\n{lines}\n"
    preview = known.bring.preview(LENA, imported_markdown(text, owner="lena", field="memory"), Mode.MERGE)
    told = preview_body(preview, "etag")
    assert told["removed"] == [{"kind": "iban", "count": 1}]
    assert isinstance(told["cut"], list)
    assert isinstance(told["operations"], list)
    assert len(told["cut"]) + len(told["operations"]) == 200
    assert told["cap"] == 2000
    assert isinstance(told["tokens"], int)
    assert 1500 < told["tokens"] <= 2000
    assert known.memory() == body(identity=["Lives in Basel."])


def test_what_was_previewed_is_what_is_stored(known: House) -> None:
    bullets = Bullets(identity=("Lives in Basel since 2019.",), skills=("Writes Rust.",))
    preview = known.bring.preview(LENA, bullets, Mode.MERGE)
    stored = known.bring(LENA, bullets, Mode.MERGE, expected=frozenset({preview.standing.version}))
    assert (preview.operations, preview.stored, stored.operations, stored.stored) == (
        stored.operations,
        False,
        preview.operations,
        True,
    )
    revision = known.world.table.revision(LENA, 0, 2)
    assert revision is not None
    assert revision.writer is Writer.IMPORT


def test_what_somebody_changed_after_the_preview_is_not_imported_over(known: House) -> None:
    preview = known.bring.preview(LENA, BASEL, Mode.REPLACE)
    known.edit(LENA, Bullets(identity=("Lives in Bern.",)), expected=FIRST)
    with pytest.raises(ProfileConflict):
        known.bring(LENA, BASEL, Mode.REPLACE, expected=frozenset({preview.standing.version}))


def test_an_import_brings_nothing_back_that_was_forgotten(known: House) -> None:
    known.learns(body(), gate="FORGET")
    known.world.clock.advance(60)
    known.post("t1", "Please forget that I live in Basel.")
    known.work()
    assert known.record("t1").outcome is Outcome.FORGOTTEN
    brought = known.bring(LENA, BASEL, Mode.MERGE, expected=frozenset({(0, 2)}))
    assert ([one.reason for one in brought.dropped], brought.stored) == (["forgotten"], False)
    typed = known.edit(LENA, BASEL, expected=frozenset({(0, 2)}))
    assert typed.stored


def test_an_erase_that_comes_between_leaves_nothing_of_an_edit(known: House) -> None:
    def erase() -> None:
        known.world.table._users[LENA].profile = None  # noqa: SLF001 - the fence of an erase
        known.world.table.write_settings(LENA, UserSettings(epoch=1, erased_at=known.world.clock.now()))

    during(known, "before:table.settle", erase)
    with pytest.raises(ProfileConflict):
        known.edit(LENA, Bullets(identity=("Lives in Bern.",)), expected=FIRST)
    assert known.world.table.state(LENA).current is None
