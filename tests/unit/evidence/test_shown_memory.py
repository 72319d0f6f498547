"""The memory that a prompt was given, and that comes back: nothing of it is anything that a user said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.evidence.shown_memory import strip
from context_memory.domain.profile import Bullets
from context_memory.domain.prompt_section import PROFILE, prompt_section
from context_memory.domain.recall.block import CITABLE, block
from context_memory.domain.recall.match import Match
from tests.support.facts import a_fact
from tests.support.growth import LIKE_THE_LENGTH, growth

if TYPE_CHECKING:
    from collections.abc import Callable

LOADED = prompt_section(Bullets(identity=("Lena, radiographer.",), skills=("CT.\n```\n## x\n```",))) or ""
GIVEN = (Match(a_fact("Lena lives in Basel."), None, 1.0, ()), Match(a_fact("Her dog is called Momo."), None, 0.5, ()))
SECTIONS = [LOADED, block(GIVEN, cited=True), block(GIVEN, cited=False)]


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def wrapped(text: str) -> str:
    return text.replace("system message", "system\n message").replace(" of date: ", " of date:\n")


COPIES = {
    "as it was": lambda section: section,
    "other line ends": lambda section: section.replace("\n", "\r\n"),
    "quoted": quoted,
    "quoted twice": lambda section: f"> {quoted(section)}",
    "wrapped": wrapped,
    "wrapped and quoted": lambda section: quoted(wrapped(section)).replace("\n", "\r\n"),
    "its tags alone": lambda section: section[section.index("<memory-") :],
    "title and tags": lambda section: f"{section.partition(chr(10))[0]}\n{section[section.index('<memory-') :]}",
}


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
def test_a_section_is_taken_out_of_what_a_user_sends(copied: Callable[[str], str], section: str) -> None:
    copy = copied(section)
    assert strip(f"Before.\n{copy}\nAfter.") == "Before.\nAfter."
    assert strip(f"{copy}\n\nand\n\n{copy}").strip() == "and"


def test_without_the_closing_tag_only_our_own_words_go() -> None:
    cut = LOADED[: LOADED.index("</memory-")]
    left = strip(f"Before.\n{cut}\nI moved to Bern.")
    assert left.startswith("Before.\n### Identity\n")
    assert left.endswith("I moved to Bern.")
    assert PROFILE.paragraph not in left
    assert "<memory-" not in left


def test_a_closing_tag_with_other_digits_closes_nothing() -> None:
    text = "<memory-00000000>\nI moved to Bern.\n</memory-11111111>"
    assert strip(text) == text


def test_a_heading_of_the_users_own_stays() -> None:
    text = f"{PROFILE.title}\n\nYou like tea."
    assert strip(text) == text


def test_tags_that_nobody_closed_are_not_gone_through_once_from_each() -> None:
    def read(text: str) -> None:
        assert strip(text) == text

    def unclosed(tags: int) -> str:
        return "<memory-00000000>\n" * tags + "</memory-11111111>\n" * (tags // 10)

    assert growth(read, unclosed, 2_000) < LIKE_THE_LENGTH


def test_a_section_inside_a_section_goes_with_it() -> None:
    inner = "<memory-00000000>\n- A.\n</memory-00000000>"
    assert strip(f"<memory-11111111>\n{inner}\n</memory-11111111>\nAfter.") == "After."


def test_markers_of_facts_are_taken_out_and_what_stands_around_them_stays() -> None:
    assert strip("I moved [[cite:mem:0123456789abcdef0123]] to Bern.") == "I moved to Bern."


@pytest.mark.parametrize("before", ["- ", "> * ", "  \u2022 "])
def test_a_fact_that_is_copied_with_its_marker_is_nothing_that_the_user_said(before: str) -> None:
    copied = f"{before}Lives in Basel. [[cite:mem:0123456789abcdef0123]] \n{before}Rows. [[ cite:mem:0123 ]]\r\n"
    assert strip(f"[MEMORY]\n{copied}I like tea.") == "[MEMORY]\nI like tea."
    assert strip(f"I like tea.\n{copied.rstrip()}") == "I like tea.\n"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("- I moved [[cite:mem:0123]] to Bern.", "- I moved to Bern."),
        ("-Lives in Basel [[cite:mem:0123]]", "-Lives in Basel"),
        ("- I row.\nLives in Basel [[cite:mem:0123]]", "- I row.\nLives in Basel"),
    ],
)
def test_whatever_else_stands_beside_a_marker_stays(said: str, left: str) -> None:
    assert strip(said) == left


def test_facts_in_one_line_are_not_gone_through_once_from_each() -> None:
    def read(text: str) -> None:
        assert strip(text).endswith("I like tea.")

    def line_of(facts: int) -> str:
        return "- " + "Rows. [[cite:mem:0123]] " * facts + "\nI like tea."

    assert growth(read, line_of, 1_000) < LIKE_THE_LENGTH


def test_an_unclosed_block_loses_its_markers_and_our_words() -> None:
    cut = SECTIONS[1][: SECTIONS[1].index("</memory-")]
    left = strip(cut)
    assert CITABLE.paragraph not in left
    assert "cite" not in left
