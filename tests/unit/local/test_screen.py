from __future__ import annotations

import io

import pytest

from infra.local.difference import difference
from infra.local.screen import console, ending_style, printable, show_difference, show_memory

BODY = "## Identity\n- Lives in Zurich [sic].\n"


def shown(before: str | None, after: str | None) -> str:
    file = io.StringIO()
    show_difference(console(file), difference(before, after))
    return file.getvalue()


def test_without_a_terminal_a_difference_is_readable_by_its_signs() -> None:
    text = shown(BODY, BODY.replace("Zurich", "Basel"))
    assert [line.strip() for line in text.splitlines()] == [
        "Identity",
        "- Lives in Zurich [sic].",
        "+ Lives in Basel [sic].",
    ]
    assert "\x1b" not in text


def test_a_profile_is_shown_as_it_was_written_and_empty_sections_are_left_out() -> None:
    file = io.StringIO()
    show_memory(console(file), f"{BODY}## Work Context\n_(empty)_\n")
    assert [line.strip() for line in file.getvalue().splitlines()] == ["Identity", "• Lives in Zurich [sic]."]


def test_what_users_write_cannot_drive_the_terminal() -> None:
    assert "\x1b" not in printable("\x1b[2J\x07bell")
    assert printable("Zürich, 张伟\n\ttab") == "Zürich, 张伟\n\ttab"


@pytest.mark.parametrize(
    ("ending", "style"),
    [
        ("updated", "bold green"),
        ("noop", "cyan"),
        ("skipped: blank", "cyan"),
        ("malformed", "bold red"),
        ("dead", "bold red"),
    ],
)
def test_failures_stand_out(ending: str, style: str) -> None:
    assert ending_style(ending) == style
