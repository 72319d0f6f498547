from __future__ import annotations

from infra.local.difference import Change, Kind, difference, sections

BEFORE = """# User Memory

## Identity
- Works as a nurse.
- Lives in Zurich.

## Work Context
- Writes a handbook
  - with two parts

## Follow-ups
- Call the tax office.
"""


def test_a_new_profile_is_all_added() -> None:
    assert [change.kind for change in difference(None, BEFORE)] == [Kind.ADDED] * 4


def test_the_same_profile_has_no_difference() -> None:
    assert difference(BEFORE, BEFORE) == []


def test_a_changed_bullet_is_shown_as_changed_and_a_vanished_one_as_removed() -> None:
    after = BEFORE.replace("Lives in Zurich.", "Lives in Basel.").replace("- Call the tax office.", "_(empty)_")
    assert difference(BEFORE, after) == [
        Change(Kind.CHANGED, "Identity", "Lives in Zurich.", "Lives in Basel."),
        Change(Kind.REMOVED, "Follow-ups", "Call the tax office.", ""),
    ]


def test_a_bullet_about_something_else_is_no_change_of_the_one_that_went() -> None:
    after = BEFORE.replace("Lives in Zurich.", "Enjoys chess and long walks.")
    assert {change.kind for change in difference(BEFORE, after)} == {Kind.ADDED, Kind.REMOVED}


def test_a_section_that_went_missing_is_a_loss_and_not_overlooked() -> None:
    assert difference(BEFORE, BEFORE.split("## Work", maxsplit=1)[0])[0].section == "Work Context"


def test_lines_of_one_bullet_stay_together() -> None:
    assert sections(BEFORE)["Work Context"] == ["Writes a handbook\n- with two parts"]


def test_placeholders_are_no_bullets() -> None:
    assert sections("## Identity\n_(empty)_\n") == {"Identity": []}
