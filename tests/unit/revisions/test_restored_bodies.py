from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.restoring import restored
from tests.support.histories import bodies


def pins(*texts: str, section: Section = Section.IDENTITY) -> frozenset[str]:
    return frozenset(pin_of(section, text) for text in texts)


@settings(max_examples=60, deadline=None)
@given(bodies, bodies)
def test_without_pins_the_older_body_comes_back_as_it_was(older: Bullets, present: Bullets) -> None:
    assert restored(older, present, frozenset()).same_as(older)


@settings(max_examples=60, deadline=None)
@given(bodies, bodies, st.data())
def test_every_pinned_bullet_still_stands(older: Bullets, present: Bullets, data: st.DataObject) -> None:
    pinned = data.draw(st.sets(st.sampled_from([*present.items()]))) if not present.blank else set()
    body = restored(older, present, {pin_of(section, text) for section, text in pinned})
    assert pinned <= set(body.items())


def test_a_pinned_bullet_takes_the_place_of_what_it_was_before() -> None:
    older = Bullets(identity=("Lives in Bern near the river.", "Sails."))
    present = Bullets(identity=("Lives in Thun near the river.",))
    pinned = pins("Lives in Thun near the river.")
    assert restored(older, present, pinned) == Bullets(identity=("Lives in Thun near the river.", "Sails."))


def test_a_pinned_bullet_that_the_older_body_does_not_know_stands_at_the_end() -> None:
    present = Bullets(identity=("Plays the cello.",))
    assert restored(Bullets(identity=("Sails.",)), present, pins("Plays the cello.")) == Bullets(
        identity=("Sails.", "Plays the cello.")
    )
