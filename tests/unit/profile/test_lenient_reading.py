from __future__ import annotations

import pytest

from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reading import Document, canonical_bullet, parse
from context_memory.domain.rendering import render_body


def identity(text: str) -> tuple[str, ...]:
    document = parse(text)
    assert document.unknown == ()
    return document.bullets.identity


@pytest.mark.parametrize(
    "heading",
    [
        "# Identity", "## identity", "### IDENTITY:", "#### Identity ####", "## **Identity**", "## __Identity:__",
        "##  Identity  ", "Identity\n--------", "Identity\n===", "**Identity**", "**Identity:**", "__Identity__:",
        "*Identity*\n", "  ## Identity", "## 1. Identity", "##\tIdentity",
    ],
)  # fmt: skip
def test_a_heading_is_known_in_any_dress(heading: str) -> None:
    assert identity(f"# User Memory\n\n{heading}\n- A.\n") == ("A.",)


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Skills and Expertise", Section.SKILLS),
        ("Skills &amp; Expertise", Section.SKILLS),
        ("Skills & Expertise", Section.SKILLS),
        ("Open Questions / Follow-ups", Section.FOLLOW_UPS),
        ("Follow ups", Section.FOLLOW_UPS),
        ("FOLLOW-UPS", Section.FOLLOW_UPS),
        ("Communication preferences", Section.COMMUNICATION),
    ],
)
def test_other_spellings_name_the_same_section(heading: str, section: Section) -> None:
    assert parse(f"## {heading}\n- A.\n").bullets[section] == ("A.",)


@pytest.mark.parametrize("title", ["", "# User Memory\n\n# User Memory\n\n", "## user memory\n", "**User Memory**\n\n"])
def test_the_title_may_be_missing_doubled_or_dressed(title: str) -> None:
    assert parse(f"{title}## Identity\n- A.\n") == parse("# User Memory\n\n## Identity\n- A.\n")


def test_deeper_headings_are_lines_of_text() -> None:
    assert identity("## Identity\n- A.\n\n##### Identity of Lena\n") == ("A.", "##### Identity of Lena")


@pytest.mark.parametrize(
    "list_text",
    [
        "- A.\n- B.", "* A.\n* B.", "+ A.\n+ B.", "1. A.\n2. B.", "1) A.\n1) B.", "0. A.\n1. B.", "A.\nB.", "A.\n- B.",
        "- A.\n\n\n- B.", "    - A.\n    - B.", "-\tA.\n-\tB.", "-   A.\n-   B.",
        "-      A.\n-      B.", "-\n\tA.\n- B.", "-\n  A.\n- B.",
    ],
)  # fmt: skip
def test_bullets_of_any_kind_and_prose_lines_are_bullets(list_text: str) -> None:
    assert identity(f"## Identity\n{list_text}\n\n## Work Context\n_(empty)_\n") == ("A.", "B.")


def test_a_number_that_does_not_count_is_text() -> None:
    assert identity("## Identity\n17. Juni: Umzug.\n1986. Ein gutes Jahr.\n") == (
        "17. Juni: Umzug.",
        "1986. Ein gutes Jahr.",
    )


def test_numbers_may_go_on_from_section_to_section() -> None:
    document = parse("## Identity\n1. A.\n2. B.\n\n## Work Context\n3. C.\n")
    assert document.bullets == Bullets(identity=("A.", "B."), work=("C.",))


def test_sections_that_are_missing_or_repeated_are_told_apart() -> None:
    document = parse("## Work Context\n- A.\n\n## Identity\n\n## Work Context\n- B.\n\n## Recent Topics\n_(leer)_\n")
    assert document.bullets == Bullets(work=("A.", "B."))
    assert document.headed == {Section.WORK, Section.IDENTITY, Section.TOPICS}
    assert document.filled == {Section.WORK, Section.TOPICS}


@pytest.mark.parametrize(
    "placeholder",
    [
        "_(empty)_", "(empty)", "*empty*", "[none]", "<none>", "_(leer)_", "(vide)", "_(vacío)_", "vuoto", "{vazio}",
        "(leeg)", "_(tom)_", "(Tom)", "tom", "пусто", "空", "（無）", "无", "なし", "None.", "N/A", "- _(empty)_",  # noqa: RUF001 - brackets of Chinese
        "- none", "* (keine Einträge)", "1. empty", "<!-- empty -->", "**(none yet)**", "_(va\u0063i\u0301o)_",
    ],
)  # fmt: skip
def test_a_placeholder_is_empty_in_any_bracket_and_language(placeholder: str) -> None:
    document = parse(f"## Identity\n{placeholder}\n\n## Work Context\n- A.\n")
    assert document.bullets == Bullets(work=("A.",))
    assert Section.IDENTITY in document.filled


@pytest.mark.parametrize(
    "bullet",
    [
        "None of the meetings start before ten.",
        "Tom",
        "Empty nest since May.",
        "Keine Nüsse.",
        "Nothing scares her.",
        "0",
    ],
)
def test_ordinary_words_are_not_swallowed(bullet: str) -> None:
    assert identity(f"## Identity\n- {bullet}\n") == (bullet,)
    assert identity(f"## Identity\n{bullet}\n") == (bullet,)


@pytest.mark.parametrize("text", ["", " \n\t", "_(empty)_", "None.", "(leer)", "\ud800", "A\udfff."])
def test_some_texts_cannot_be_bullets(text: str) -> None:
    assert canonical_bullet(text) is None


def test_bullets_hold_anything_and_come_back_as_they_were() -> None:
    bullets = Bullets(
        identity=("Signs like this:\n```\n## not a heading\n---\n\n  L.\n```", "## Identity", "<!-- never closed"),
        communication=("Writes </b> and <|endoftext|> in mails.", "[a]: /url", "> quoted", "a    b"),
        work=("```unclosed\n- x", "Title\n=====\nText  \nmore", "<div>\n\n<script>", "tab\n\tdeep"),
        skills=("- in a list\n- of two", "1. 2. 2026", "* * *", "<!-- truncated to fit memory budget -->"),
        topics=("2026-06-17 11:40 UTC: A\n---\nB",),
    )
    assert parse(render_body(bullets, truncated=True)).bullets == bullets


def test_a_rule_as_a_bullet_is_written_so_that_it_stays_one() -> None:
    assert canonical_bullet("---") == "\\---"
    assert canonical_bullet("- -\nx") == "\\- -\nx"
    assert canonical_bullet("\\---") == "\\---"
    assert canonical_bullet("--x") == "--x"


def test_lists_have_two_levels_at_most() -> None:
    assert canonical_bullet("a\n- b\n  - c\n    more\n    - d\n- e") == "a\n- b\n- c\n  more\n- d\n- e"
    assert canonical_bullet("a\n- b\n\t- c") == "a\n- b\n- c"
    assert canonical_bullet("a\n- b\n- c") == "a\n- b\n- c"


def test_what_looks_like_a_list_in_a_fence_keeps_its_indentation() -> None:
    text = "a\n- b\n  ```\n  - x\n    - y\n      - z\n  ```"
    assert canonical_bullet(text) == text


@pytest.mark.parametrize("opening", ["```", "~~~", "```python", "<!--", "<div>", "<script>", "<![CDATA["])
def test_nothing_opened_and_never_closed_swallows_the_sections_behind_it(opening: str) -> None:
    document = parse(f"## Identity\n- A.\n\n{opening}\n\n## Work Context\n- B.\n")
    assert document.bullets.work == ("B.",)
    assert document.bullets.identity[0] == "A."


def test_a_profile_inside_a_fence_is_a_profile() -> None:
    document = parse("```markdown\n# User Memory\n\n## Identity\n- A.\n```\n")
    assert (document.bullets, document.preamble) == (Bullets(identity=("A.",)), ())


def test_a_fence_of_its_own_is_one_bullet() -> None:
    assert identity("## Identity\n- A.\n\n```\nx\n\n# y\n```\n- B.\n") == ("A.", "```\nx\n\n# y\n```", "B.")


def test_a_line_that_goes_on_without_indentation_belongs_to_its_bullet() -> None:
    assert identity("## Identity\n- Works in a hospital\nin Bern.\n- B.\n") == ("Works in a hospital\nin Bern.", "B.")


def test_right_below_a_bullet_a_heading_a_placeholder_and_a_date_line_stand_alone() -> None:
    document = parse(
        "**Identity**\n- A.\n**Work Context**\n_(empty)_\n**Recent Topics**\n- B.\n2026-06-17 11:40 UTC: C.\n"
    )
    assert document.bullets == Bullets(identity=("A.",), topics=("B.", "2026-06-17 11:40 UTC: C."))
    assert Section.WORK in document.filled


def test_a_sentence_above_a_rule_is_no_heading() -> None:
    document = parse("## Identity\nWorks in Bern.\n---\n\n## Work Context\n_(empty)_\n---\n")
    assert (document.bullets, document.unknown) == (Bullets(identity=("Works in Bern.",)), ())


def test_unknown_headings_are_given_with_their_bullets() -> None:
    document = parse("## Hobbies:\n- Chess.\n\nPets\n----\n- Cat.\n\n## **Cars**\n_(empty)_\n")
    assert document.unknown == (("Hobbies", ("Chess.",)), ("Pets", ("Cat.",)), ("Cars", ()))


def remark(text: str) -> Document:
    return parse(f"## Identity\n- A.\n\n## Recent Topics\n{text}", drop_trailing_prose=True)


@pytest.mark.parametrize(
    "trailing",
    ["\nI updated it.", "\n---\nNote: nothing else.", "\n\n---\n\nNote.\n\nBye.", "\n\n```\nx\n```\n", "\n\n> quoted"],
)
@pytest.mark.parametrize("last", ["_(empty)_", "- 2026-06-17 11:40 UTC: B.", "2026-06-17 11:40 UTC: B."])
def test_a_remark_behind_the_last_bullet_of_an_answer_is_dropped(last: str, trailing: str) -> None:
    document = remark(last + trailing)
    assert document.bullets.topics == (() if "empty" in last else ("2026-06-17 11:40 UTC: B.",))
    assert document.unknown == ()
    assert Section.TOPICS in document.filled


def test_prose_elsewhere_in_an_answer_is_a_bullet_a_line() -> None:
    document = parse("## Identity\nA.\nB.\n\n## Work Context\n- C.\n", drop_trailing_prose=True)
    assert document.bullets == Bullets(identity=("A.", "B."), work=("C.",))
    assert remark("B.\n- C.\nD.\n2026-06-17 11:40 UTC: E.\nF.").bullets.topics == (
        "B.",
        "C.\nD.",
        "2026-06-17 11:40 UTC: E.",
    )


def test_a_stored_file_keeps_what_stands_behind_the_last_bullet() -> None:
    assert parse("## Recent Topics\n- A.\n\n---\nend").bullets.topics == ("A.", "end")


def test_text_before_the_first_heading_is_the_preamble() -> None:
    assert parse("Here it is:\n\n# User Memory\n- X.\n\n## Identity\n- A.\n").preamble == ("Here it is:", "X.")


def test_the_marker_of_a_trimmed_file_is_no_bullet() -> None:
    document = parse("## Recent Topics\n- A.\n<!-- truncated to fit memory budget -->\n")
    assert (document.bullets.topics, document.truncated) == (("A.",), True)
    assert not parse("## Recent Topics\n- <!-- truncated to fit memory budget -->\n").truncated


def test_many_lists_in_lists_do_not_swallow_what_follows() -> None:
    deep = "- " * 400 + "x"
    assert parse(f"## Identity\n- {deep}\n\n## Work Context\n- B.\n").bullets == Bullets(identity=(deep,), work=("B.",))


def test_things_that_stand_alone_in_lists_in_lists_do_not_exhaust_the_reader() -> None:
    inner = "\n\n  - b\n  _(empty)_" * 2000
    document = parse(f"## Identity\n- a\n_(empty)_{inner}\n\n## Work Context\n- c\n")
    assert (document.bullets.identity[:2], document.bullets.work) == (("a", "b"), ("c",))
