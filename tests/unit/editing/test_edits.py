"""What users type is what they want: nothing is lost on the way, and what cannot be placed is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.editing.edit import edited_markdown, edited_sections
from context_memory.domain.errors import InvalidInput, UnknownHeading
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.rendering import render_body

TEXTS = st.lists(st.text(max_size=60), max_size=5)
BODIES = st.dictionaries(st.sampled_from(Section), TEXTS)


def edited(text: str) -> Bullets:
    return edited_markdown(text, owner="lena")


def test_what_was_shown_and_sent_back_is_no_change() -> None:
    shown = Bullets(identity=("Lives in Basel.",), skills=("Writes Rust,\nand some Go.", "Reads `## code`."))
    assert edited(render_body(shown)) == shown


@given(BODIES)
def test_sections_and_markdown_say_the_same(body: dict[Section, list[str]]) -> None:
    from_sections = edited_sections([(section.value, texts) for section, texts in body.items()])
    assert edited(render_body(from_sections)) == from_sections
    for section, texts in from_sections.sections():
        typed = filter(None, map(canonical_bullet, body.get(section, [])))
        assert set(map(fold, texts)) == set(map(fold, typed))


def test_a_section_that_is_left_out_is_empty_and_a_repeated_one_is_one() -> None:
    assert edited("## Identity\n- A.\n\n# Skills and Expertise:\n* B.\n\n## identity\n1. C.\n") == Bullets(
        identity=("A.", "C."), skills=("B.",)
    )


def test_a_bullet_stands_once_in_its_section() -> None:
    twice = "- Lives in  Basel.\n- Lives in Basel.\n"
    assert edited(f"## Identity\n{twice}## Work Context\n{twice}") == Bullets(
        identity=("Lives in  Basel.",), work=("Lives in  Basel.",)
    )


def test_what_stands_before_the_first_heading_is_kept() -> None:
    assert edited("I like trains.\n\n## Identity\n- A.\n") == Bullets(identity=("A.",), work=("I like trains.",))


def test_an_unknown_heading_is_named_and_no_part_of_the_message() -> None:
    with pytest.raises(UnknownHeading) as refused:
        edited("## Identity\n- A.\n\n## My secret diary\n- B.\n")
    assert (refused.value.field, refused.value.heading) == ("memory", "My secret diary")
    assert "diary" not in str(refused.value)


def test_an_unknown_section_is_named_by_its_place() -> None:
    with pytest.raises(UnknownHeading) as refused:
        edited_sections([("Identity", ["A."]), ("Hobbies", ["B."])])
    assert (refused.value.field, refused.value.heading) == ("sections.1.heading", "Hobbies")


def test_frontmatter_counts_for_nothing_unless_it_names_somebody_else() -> None:
    assert edited("---\nuser_id: lena\nturn_count: 99\n---\n## Identity\n- A.\n") == Bullets(identity=("A.",))
    with pytest.raises(InvalidInput) as refused:
        edited("---\nuser_id: max\n---\n## Identity\n- A.\n")
    assert refused.value.field == "memory"
    assert "max" not in str(refused.value)


def test_blank_bullets_and_placeholders_are_none() -> None:
    assert edited_sections([("Identity", ["", " \n ", "_(empty)_", "A."])]) == Bullets(identity=("A.",))
