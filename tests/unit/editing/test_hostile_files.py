"""Files that were made to keep the reader busy: each is refused or read in a moment."""

from __future__ import annotations

import time
from contextlib import suppress

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

PATIENCE_SECONDS = 10.0
"""Far more than it takes (2 s, or 5 beside seven busy neighbours), and far less than a quadratic reader would."""


def much_of(text: str, characters: int = MOST_CHARACTERS) -> str:
    return (text * (characters // len(text) + 1))[:characters]


def bullets_of(text: str) -> str:
    """As many bullets of such a text as there may be, each as long as it may be."""
    return "".join(f"- {much_of(text, LONGEST_BULLET - 3)}\n" for _ in range(MOST_CHARACTERS // LONGEST_BULLET))


def lines_of(line: str, lines: int = MOST_LINES - 10) -> str:
    return f"{line}\n" * min(lines, MOST_CHARACTERS // (len(line) + 1))


ALIASES = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, 9)
)
MERGES = "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 400))

FILES = {
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
    "steps down": "".join(" " * min(2 * n, DEEPEST_INDENTATION) + "- a\n" for n in range(MOST_LINES - 10)),
    "many small lists": lines_of("- a\n    - b\n        - c", 3000),
    "one bullet of many": "- a\n" + lines_of("  - b"),
    "numbers": lines_of("1. 2. 3. a"),
    "fences": lines_of("```", 9000),
    "fences that hold a heading": lines_of("```\n## Identity", 4000),
    "headings": lines_of("# a"),
    "underlines": lines_of("a\n---", 4000),
    "tables": lines_of("| a | b |"),
    "aliases": f"---\n{ALIASES}user_id: *a8\n---\n- a\n",
    "aliases as a count": f"---\nuser_id: lena\n{ALIASES}turn_count: *a8\n---\n- a\n",
    "merges": f"---\nuser_id: lena\n{MERGES}---\n- a\n",
    "a thousand different bullets": "".join(f"- word{n} word{n + 1} word{n + 2} {n}\n" for n in range(MOST_BULLETS)),
}


GATE = Gatekeeper(
    own_sentences=frozenset({"Answer NOOP, or the complete profile with all six sections."}),
    deny_phrases=("salary",),
    forgotten=lambda _: False,
    own_hosts=False,
)


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_read_or_refused_in_a_moment(name: str) -> None:
    base = Bullets(work=tuple(f"word{n} of {n + 7}" for n in range(500)))
    began = time.monotonic()
    with suppress(InvalidInput):
        incoming = imported_markdown(FILES[name], owner="lena", field="memory")
        GATE.admit(base, with_import(base, incoming, Mode.MERGE, frozenset()))
    assert time.monotonic() - began < PATIENCE_SECONDS


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
        (f"---\n{ALIASES}user_id: *a8\n---\n- a\n", "owner"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused_and_says_which(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        imported_markdown(text, owner="lena", field="memory")
    assert told in refused.value.detail


def test_blank_lines_may_be_as_wide_as_they_like() -> None:
    text = f"## Identity\n- A.\n{' ' * 1000}\n- B.\n"
    assert imported_markdown(text, owner="lena", field="memory") == Bullets(identity=("A.", "B."))
