from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.operations import OperationKind
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.weaving import trace
from context_memory.domain.writers import Writer
from tests.support.histories import History, histories

if TYPE_CHECKING:
    from collections.abc import Sequence

QUICK = settings(max_examples=60, deadline=None)


def numbers(history: History, bullet: str, section: Section = Section.IDENTITY) -> Sequence[int]:
    """The revisions that a present bullet came through."""
    return [step.revision.turn_count for step in trace(history.revisions).of(section, bullet).chain]


@QUICK
@given(histories())
def test_the_chain_of_every_bullet_starts_with_what_added_it_and_ends_with_the_bullet(history: History) -> None:
    lineage = trace(history.revisions)
    for section, bullet in history.bullets.items():
        chain = lineage.of(section, bullet).chain
        assert chain[0].operation.kind is OperationKind.ADDED
        assert fold(chain[-1].operation.after or "") == fold(bullet)


@QUICK
@given(histories(), st.data())
def test_revisions_that_were_trimmed_or_redacted_break_nothing(history: History, data: st.DataObject) -> None:
    kept = history.revisions[data.draw(st.integers(0, len(history.revisions))) :]
    redacted = [
        replace(one, operations=tuple(replace(op, before=None) for op in one.operations))
        if data.draw(st.booleans())
        else one
        for one in kept
    ]
    for revisions in (kept, redacted):
        lineage = trace(revisions)
        known = {one.turn_count for one in revisions}
        for section, bullet in history.bullets.items():
            strand = lineage.of(section, bullet)
            assert strand.place == (section, fold(bullet))
            assert {step.revision.turn_count for step in strand.chain} <= known


def test_a_bullet_comes_through_each_change_of_its_text() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Bern.",), skills=("Sails.",))
    history.turn("t3", identity=("Lives in Bern near the river.",), skills=("Sails.",))
    assert numbers(history, "Lives in Bern near the river.") == [1, 3]
    assert numbers(history, "Sails.", Section.SKILLS) == [2]


def test_a_merged_bullet_comes_from_both() -> None:
    history = History()
    history.turn("t1", skills=("Uses Python for data.",))
    history.turn("t2", skills=("Uses Python for data.", "Uses SQL for data."))
    history.write(Bullets(skills=("Uses Python and SQL for data.",)), Writer.CONDENSATION)
    assert numbers(history, "Uses Python and SQL for data.", Section.SKILLS) == [1, 2, 3]


def test_a_moved_bullet_keeps_its_origin() -> None:
    history = History()
    history.turn("t1", identity=("Sails.",))
    history.turn("t2", skills=("Sails.",))
    assert numbers(history, "Sails.", Section.SKILLS) == [1, 2]


def test_a_restored_bullet_comes_from_what_it_was_and_not_from_what_stood_there_meanwhile() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Thun.",))
    history.restore(1)
    assert numbers(history, "Lives in Bern.") == [1, 3]


def test_a_restored_bullet_whose_past_was_trimmed_starts_with_the_restore() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2")
    history.restore(1)
    del history.revisions[:2]
    assert numbers(history, "Lives in Bern.") == [3]


def test_what_is_told_again_after_it_was_removed_comes_from_where_it_was_told_again() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.write(Bullets(), Writer.USER)
    history.turn("t3", identity=("Lives in Bern.",))
    assert numbers(history, "Lives in Bern.") == [3]


def test_what_comes_back_with_a_replaced_message_keeps_its_origin() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", skills=("Sails.",))
    history.turn("t3", supersedes="t2", identity=("Lives in Bern.",))
    assert numbers(history, "Lives in Bern.") == [1, 3]


def test_a_bullet_of_which_no_revision_tells_has_no_chain() -> None:
    assert numbers(History(), "Lives in Bern.") == []
