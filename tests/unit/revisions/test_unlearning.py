from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.revision import Source
from context_memory.domain.unlearning import unlearn
from context_memory.domain.weaving import trace
from context_memory.domain.writers import UNLEARNING, Writer
from tests.support.histories import BEGINNING, History, crowded, histories

if TYPE_CHECKING:
    from context_memory.domain.operations import Operation
    from context_memory.domain.revision import Revision

QUICK = settings(max_examples=60, deadline=None)
TURNS = st.integers(1, 6).map("t{}".format)


def without(history: History, *turn_ids: str) -> Bullets:
    """What is left when turns are unlearned."""
    condemned = Condemnation(turn_ids=frozenset(turn_ids))
    return unlearn(history.revisions, history.bullets, condemned).bullets


def unlearned(history: History, *turn_ids: str, writer: Writer = Writer.UNLEARN) -> Bullets:
    """Unlearn turns, as one more revision."""
    left = without(history, *turn_ids)
    history.write(left, writer, unlearned=Condemnation(turn_ids=frozenset(turn_ids)))
    return left


def nothing(_revision: Revision, _operation: Operation) -> bool:
    return False


@QUICK
@given(histories())
def test_where_nothing_is_condemned_nothing_changes(history: History) -> None:
    assert unlearn(history.revisions, history.bullets, nothing).bullets.same_as(history.bullets)


@QUICK
@given(histories())
def test_where_every_turn_is_condemned_nothing_is_left(history: History) -> None:
    left = unlearn(history.revisions, history.bullets, lambda revision, _: revision.writer is Writer.TURN)
    assert left.bullets.blank


@QUICK
@given(histories())
def test_unlearning_the_last_revision_leaves_the_body_before_it(history: History) -> None:
    last = history.revisions[-1]
    before = history.bodies[-2] if len(history.bodies) > 1 else Bullets()
    left = unlearn(history.revisions, history.bullets, lambda revision, _: revision is last)
    assert left.bullets.same_as(before)
    assert left.revisions == ((last.turn_count,) if last.operations else ())


@QUICK
@given(crowded(), st.sets(TURNS, min_size=1), st.sampled_from(sorted(UNLEARNING)))
def test_unlearning_twice_is_unlearning_once(history: History, turns: set[str], writer: Writer) -> None:
    once = unlearned(history, *turns, writer=writer)
    assert without(history, *turns).same_as(once)


@QUICK
@given(crowded(), st.sets(TURNS, min_size=1), st.sets(TURNS, min_size=1))
def test_unlearning_a_part_of_what_was_unlearned_changes_nothing(
    history: History, part: set[str], rest: set[str]
) -> None:
    once = unlearned(history, *part, *rest)
    assert without(history, *part).same_as(once)


@QUICK
@given(crowded(), st.sets(TURNS, min_size=1), st.sets(TURNS, min_size=1))
def test_what_was_unlearned_comes_back_by_no_later_unlearning(
    history: History, first: set[str], second: set[str]
) -> None:
    unlearned(history, *first)
    unlearned(history, *second)
    assert set(history.bullets.items()) <= set(without(history, *first).items())


def test_where_one_text_stood_in_several_sections_the_one_that_an_unlearning_left_stays() -> None:
    history = History()
    history.turn("t1", work=("Has a dog.",))
    history.turn("t2", identity=("Has a dog.",))
    history.turn("t3", identity=("Has a dog.",), work=("Has a dog.",))
    assert unlearned(history, "t2", "t3") == Bullets(work=("Has a dog.",))
    assert without(history, "t2", "t3") == history.bullets
    assert trace(history.revisions).of(Section.WORK, "Has a dog.").chain[0].revision.turn_count == 1
    assert without(history, "t1").blank


def test_what_a_later_unlearning_brings_back_is_free_of_what_was_unlearned_before() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Bern.",), skills=("Sails.",))
    history.turn("t3", identity=("Lives in Bern.",))
    unlearned(history, "t1", "t2")
    history.turn("t5", work=("Is a nurse.",))
    assert unlearned(history, "t3") == Bullets(work=("Is a nurse.",))


def test_what_a_restore_took_back_of_an_unlearning_is_unlearned_anew() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Bern.", "Has a cat."))
    unlearned(history, "t2")
    history.restore(2)
    history.turn("t5", identity=("Lives in Bern.", "Has a black cat."))
    assert without(history, "t5") == Bullets(identity=("Lives in Bern.", "Has a cat."))
    assert without(history, "t2") == Bullets(identity=("Lives in Bern.",))


def test_of_two_texts_that_were_lost_the_one_that_took_the_others_place_comes_back() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2")
    history.turn("t3", identity=("Lives in Thun.",))
    history.turn("t4")
    assert without(history, "t2", "t4") == Bullets(identity=("Lives in Thun.",))


def test_what_a_turn_added_vanishes_with_all_that_became_of_it() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Bern.", "Has a cat."))
    history.turn("t3", identity=("Lives in Bern.", "Has a black cat."))
    assert without(history, "t2") == Bullets(identity=("Lives in Bern.",))


def test_what_a_turn_changed_goes_back_to_what_stood_before_in_its_place() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.", "Has a cat."))
    history.turn("t2", identity=("Lives in Thun.", "Has a cat."))
    assert without(history, "t2") == Bullets(identity=("Lives in Bern.", "Has a cat."))


def test_what_a_turn_removed_comes_back() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",), skills=("Sails.",))
    history.turn("t2", skills=("Sails.",))
    history.turn("t3", skills=("Sails.", "Skis."))
    assert without(history, "t2") == Bullets(identity=("Lives in Bern.",), skills=("Sails.", "Skis."))


def test_what_a_turn_removed_stays_away_when_a_good_one_took_its_place() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2")
    history.turn("t3", identity=("Lives in Thun.",))
    assert without(history, "t2") == Bullets(identity=("Lives in Thun.",))


def test_what_a_good_turn_removed_stays_away_whatever_a_condemned_one_had_made_of_it() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Thun.",))
    history.turn("t3")
    assert without(history, "t2").blank


def test_of_a_merge_the_good_half_stays() -> None:
    history = History()
    history.turn("t1", skills=("Uses Python for data.",))
    history.turn("t2", skills=("Uses Python for data.", "Uses SQL for data."))
    history.write(Bullets(skills=("Uses Python and SQL for data.",)), Writer.CONDENSATION)
    assert without(history, "t2") == Bullets(skills=("Uses Python for data.",))


def test_what_was_restored_is_still_from_where_it_was_learned() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2")
    history.restore(1)
    assert without(history, "t1").blank


def test_what_the_user_told_again_is_not_from_where_it_was_learned_first() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.write(Bullets(), Writer.USER)
    history.turn("t3", identity=("Lives in Bern.",))
    assert without(history, "t1") == history.bullets


@pytest.mark.parametrize("writer", sorted(UNLEARNING))
def test_what_was_learned_upon_an_unlearned_change_survives_a_second_unlearning(writer: Writer) -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Thun.",))
    history.write(without(history, "t2"), writer)
    history.turn("t4", identity=("Lives in Bern by the river.",))
    assert without(history, "t2") == history.bullets


def test_a_text_that_was_redacted_does_not_come_back() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Thun.",))
    (operation,) = history.revisions[1].operations
    history.revisions[1] = replace(history.revisions[1], operations=(replace(operation, before=None),))
    assert without(history, "t2").blank


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("criteria", "left"),
    [
        ({"turn_ids": {"t1"}}, ["Two.", "Three."]),
        ({"chat_ids": {"c1"}}, ["Three."]),
        ({"models": {"m2"}}, ["One."]),
        ({"prompt_versions": {"p1"}}, ["Two.", "Three."]),
        ({"since": BEGINNING + DAY}, ["One."]),
        ({"until": BEGINNING + DAY}, ["Two.", "Three."]),
        ({"since": BEGINNING + DAY, "until": BEGINNING + 2 * DAY}, ["One.", "Three."]),
        ({"chat_ids": {"c1"}, "models": {"m2"}}, ["One.", "Three."]),
        ({}, ["One.", "Two.", "Three."]),
    ],
)
def test_what_is_condemned_fits_every_criterion_that_is_given(criteria: dict[str, Any], left: list[str]) -> None:
    history = History()
    history.turn("t1", chat_id="c1", model="m1", prompt_version="p1", identity=("One.",))
    history.turn("t2", chat_id="c1", model="m2", prompt_version="p2", identity=("One.", "Two."))
    history.turn("t3", chat_id="c2", model="m2", prompt_version="p2", identity=("One.", "Two.", "Three."))
    assert unlearn(history.revisions, history.bullets, Condemnation(**criteria)).bullets.identity == tuple(left)


def test_of_several_turns_that_made_one_change_only_the_condemned_ones_part_goes() -> None:
    history = History()
    history.turn("t1", identity=("One.",), skills=("Two.",))
    first, second = history.revisions[0].operations
    history.revisions[0] = replace(
        history.revisions[0],
        operations=(first, replace(second, turn_id="t2")),
        sources=(Source("t1"), Source("t2")),
    )
    assert without(history, "t2") == Bullets(identity=("One.",))


def test_the_times_of_turns_that_older_releases_did_not_note_are_those_of_their_revisions() -> None:
    history = History()
    history.turn("t1", identity=("One.",))
    history.revisions[0] = replace(history.revisions[0], sources=(Source("t1"),))
    condemned = Condemnation(until=BEGINNING + DAY)
    assert unlearn(history.revisions, history.bullets, condemned).bullets.blank
