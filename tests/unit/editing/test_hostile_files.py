"""Files that were made to keep the reader busy: each is refused or read, in a time that grows like its length."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.admitting import Gatekeeper
from context_memory.domain.editing.importing import Mode, imported_markdown, with_import
from context_memory.domain.editing.submitted import (
    DEEPEST_INDENTATION,
    MOST_BULLETS,
    MOST_CHARACTERS,
    MOST_LINES,
)
from context_memory.domain.errors import InvalidInput
from context_memory.domain.hygiene import LONGEST_BULLET
from context_memory.domain.profile import Bullets
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = 16
"""A file of so many parts is as large as a file may be; half of that is enough to see how time grows."""


def much_of(text: str) -> Callable[[int], str]:
    return lambda parts: repeated(text)(parts * MOST_CHARACTERS // PARTS)


def bullets_of(text: str) -> Callable[[int], str]:
    """Many bullets of such a text, each as long as it may be."""
    bullet = f"- {repeated(text)(LONGEST_BULLET - 3)}\n"
    return lambda parts: bullet * (parts * MOST_CHARACTERS // LONGEST_BULLET // PARTS)


def lines_of(line: str, lines: int = MOST_LINES - 10) -> Callable[[int], str]:
    return lambda parts: f"{line}\n" * (parts * min(lines, MOST_CHARACTERS // (len(line) + 1)) // PARTS)


def aliases(levels: int) -> str:
    """Nine times as many values with each level, of which the last is called `last`."""
    return "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, levels + 1)
    )


def merges(levels: int) -> str:
    return "a0: &a0 {k: v}\n" + "".join(
        f"a{number}: &a{number} {{<<: [*a{number - 1}, *a{number - 1}]}}\n" for number in range(1, levels)
    )


FILES: dict[str, Callable[[int], str]] = {
    **{f"nothing but {text!r}": much_of(text) for text in (">", "[", "`", "*", "_ ", "<!--", "<script>", "- ")},
    **{
        f"long bullets of {text!r}": bullets_of(text)
        for text in (
            *("a", "4111 ", "CH93", "CH9300762011623852957 ", "sk-", "sk-a", "AKIA", "eyJ.", "eyJhbGciOi", "ghp_"),
            *(
                "http://a:b@",
                "[a](http://x.y) ",
                "![",
                "[[cite:",
                "-----BEGIN PRIVATE KEY-----",
                "2026-06-17 ",
                "756.1",
            ),
            *("\U000e0041", "\u202e\u2066", "\u200d", "\ufdfa"),
        )
    },
    "lists in lists in a line": lines_of("- " * 40 + "a"),
    "steps down": lambda parts: "".join(
        " " * min(2 * n, DEEPEST_INDENTATION) + "- a\n" for n in range(parts * (MOST_LINES - 10) // PARTS)
    ),
    "many small lists": lines_of("- a\n    - b\n        - c", 3000),
    "one bullet of many": lambda parts: "- a\n" + lines_of("  - b")(parts),
    "numbers": lines_of("1. 2. 3. a"),
    "fences": lines_of("```", 9000),
    "fences that hold a heading": lines_of("```\n## Identity", 4000),
    "headings": lines_of("# a"),
    "underlines": lines_of("a\n---", 4000),
    "tables": lines_of("| a | b |"),
    "aliases": lambda parts: f"---\n{aliases(parts)}user_id: *a{parts}\n---\n- a\n",
    "aliases as a count": lambda parts: f"---\nuser_id: lena\n{aliases(parts)}turn_count: *a{parts}\n---\n- a\n",
    "merges": lambda parts: f"---\nuser_id: lena\n{merges(50 * parts)}---\n- a\n",
    "a thousand different bullets": lambda parts: "".join(
        f"- word{n} word{n + 1} word{n + 2} {n}\n" for n in range(parts * MOST_BULLETS // PARTS)
    ),
}


GATE = Gatekeeper(
    own_sentences=frozenset({"Answer NOOP, or the complete profile with all six sections."}),
    deny_phrases=("salary",),
    forgotten=lambda _: False,
    own_hosts=False,
)


@pytest.mark.parametrize("name", FILES)
def test_the_time_of_reading_or_refusing_a_hostile_file_grows_like_its_length(name: str) -> None:
    base = Bullets(work=tuple(f"word{n} of {n + 7}" for n in range(50)))

    def read(file: str) -> None:
        with suppress(InvalidInput):
            incoming = imported_markdown(file, owner="lena", field="memory")
            GATE.admit(base, with_import(base, incoming, Mode.MERGE, frozenset()))

    assert growth(read, FILES[name], 1) < LIKE_THE_LENGTH


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a" * (MOST_CHARACTERS + 1), "characters"),
        ("\ufdfa" * (MOST_CHARACTERS // 18 + 1), "characters"),
        ("- " + "a" * (LONGEST_BULLET + 1), "bullet"),
        ("a\n" * (MOST_LINES + 1), "lines"),
        ("a\r" * (MOST_LINES + 1), "lines"),
        (f"- a\n{' ' * (DEEPEST_INDENTATION + 1)}- b\n", "indented"),
        ("".join(f"- bullet {n}\n" for n in range(MOST_BULLETS + 1)), "bullets"),
        (f"---\n{aliases(8)}user_id: *a8\n---\n- a\n", "owner"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused_and_says_which(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        imported_markdown(text, owner="lena", field="memory")
    assert told in refused.value.detail


def test_blank_lines_may_be_as_wide_as_they_like() -> None:
    text = f"## Identity\n- A.\n{' ' * 1000}\n- B.\n"
    assert imported_markdown(text, owner="lena", field="memory") == Bullets(identity=("A.", "B."))
