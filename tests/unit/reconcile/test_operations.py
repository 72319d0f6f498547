from __future__ import annotations

from hypothesis import given, settings

from context_memory.domain.operations import Operation, OperationKind, apply, diff, withdraw
from context_memory.domain.profile import Bullets, Section
from tests.support.histories import bodies

QUICK = settings(max_examples=60, deadline=None)


@QUICK
@given(bodies, bodies)
def test_a_diff_leads_from_one_body_to_the_other_and_back(before: Bullets, after: Bullets) -> None:
    operations = diff(before, after)
    assert apply(before, operations).same_as(after)
    assert withdraw(after, operations).same_as(before)


@QUICK
@given(bodies, bodies, bodies)
def test_doing_or_withdrawing_twice_is_doing_it_once(before: Bullets, after: Bullets, third: Bullets) -> None:
    operations = diff(before, after)
    assert apply(apply(third, operations), operations) == apply(third, operations)
    assert withdraw(withdraw(third, operations), operations) == withdraw(third, operations)


@QUICK
@given(bodies, bodies)
def test_there_is_no_operation_exactly_when_bodies_are_the_same(before: Bullets, after: Bullets) -> None:
    assert (diff(before, after) == ()) is before.same_as(after)


def test_a_reworded_bullet_is_a_change_and_a_moved_one_a_removal_and_an_addition() -> None:
    before = Bullets(identity=("Radiographer in Bern.", "Sails."))
    after = Bullets(identity=("Radiographer in Thun.",), skills=("Sails.",))
    assert diff(before, after) == (
        Operation(OperationKind.CHANGED, Section.IDENTITY, "Radiographer in Bern.", "Radiographer in Thun."),
        Operation(OperationKind.REMOVED, Section.IDENTITY, "Sails.", None),
        Operation(OperationKind.ADDED, Section.SKILLS, None, "Sails."),
    )


def test_a_merge_is_one_change_and_removals() -> None:
    before = Bullets(skills=("Uses Python for data.", "Uses SQL for data."))
    kinds = [operation.kind for operation in diff(before, Bullets(skills=("Uses Python and SQL for data.",)))]
    assert kinds == [OperationKind.CHANGED, OperationKind.REMOVED]


def test_white_space_alone_is_no_operation_and_case_alone_is_a_change() -> None:
    before = Bullets(skills=("Uses  Python.",))
    assert diff(before, Bullets(skills=("Uses Python.",))) == ()
    (operation,) = diff(before, Bullets(skills=("uses Python.",)))
    assert operation.kind is OperationKind.CHANGED


def test_what_changed_since_is_left_alone_when_operations_are_withdrawn() -> None:
    operations = diff(Bullets(identity=("Lives in Bern.",)), Bullets(identity=("Lives in Thun.",), skills=("Sails.",)))
    since = Bullets(identity=("Lives in Spiez.",), skills=("Sails.", "Skis."))
    assert withdraw(since, operations) == Bullets(identity=("Lives in Spiez.",), skills=("Skis.",))


def test_a_change_keeps_its_place() -> None:
    before = Bullets(identity=("Lives in Bern.", "Has a cat."))
    after = Bullets(identity=("Lives in Thun.", "Has a cat."))
    assert apply(before, diff(before, after)) == after


def test_the_inverse_keeps_the_turn() -> None:
    operation = Operation(OperationKind.ADDED, Section.SKILLS, None, "Sails.", turn_id="t1")
    assert operation.inverse == Operation(OperationKind.REMOVED, Section.SKILLS, "Sails.", None, turn_id="t1")
    assert operation.inverse.inverse == operation
