from __future__ import annotations

import pytest

from context_memory.domain.editing.pins import moved_pins
from context_memory.domain.profile import Bullets, Section, pin_of

BEFORE = Bullets(identity=("Lives in Basel.", "Works as a baker."), skills=("Writes Rust.",))
BASEL = pin_of(Section.IDENTITY, "Lives in Basel.")


@pytest.mark.parametrize(
    ("after", "stays_on"),
    [
        (BEFORE, (Section.IDENTITY, "Lives in Basel.")),
        (Bullets(identity=("Works as a baker.", "Lives  in Basel.")), (Section.IDENTITY, "Lives in Basel.")),
        (Bullets(identity=("Lives in Basel, near the Rhine.",)), (Section.IDENTITY, "Lives in Basel, near the Rhine.")),
        (Bullets(work=("Lives in Basel.",)), (Section.WORK, "Lives in Basel.")),
        # Nothing in common, but it stands where the other stood.
        (Bullets(identity=("Zürcherin.", "Works as a baker.")), (Section.IDENTITY, "Zürcherin.")),
    ],
)
def test_a_pin_stays_on_the_bullet_that_the_user_edits(after: Bullets, stays_on: tuple[Section, str]) -> None:
    assert moved_pins(frozenset({BASEL}), BEFORE, after) == {pin_of(*stays_on)}


@pytest.mark.parametrize(
    "after",
    [
        Bullets(),
        Bullets(identity=("Works as a baker.",)),
        Bullets(identity=("Works as a baker.", "Plays chess.")),
        Bullets(identity=("Plays chess.", "Works as a baker.", "Zürcherin.")),
    ],
)
def test_a_pin_goes_with_the_bullet_that_the_user_takes_out(after: Bullets) -> None:
    assert moved_pins(frozenset({BASEL}), BEFORE, after) == frozenset()


def test_a_pin_of_no_bullet_is_left_behind_and_others_get_none() -> None:
    assert moved_pins(frozenset({"f" * 32}), BEFORE, BEFORE) == frozenset()
