"""Where any free text becomes a bullet that survives being written and read again.

A bullet stands in the file as a list item whose further lines are indented by two blanks; that alone keeps fences,
rules, headings and HTML inside. What would not come back the same is settled here: line ends, white space around the
text and on blank lines, a first line of dashes (behind the marker it would be a rule), lists below level two.
"""

from __future__ import annotations

import re

from context_memory.domain.placeholders import reads_as_placeholder
from context_memory.domain.reading.markdown import column, list_items, tokens
from context_memory.domain.rendering import bullet_of, item

_LINE_END = re.compile(r"\r\n?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ONLY_DASHES = re.compile(r"-[ \t]*(?:-[ \t]*)+")
_MAY_BEGIN_A_LIST = re.compile(r"^[ \t]+(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)", re.MULTILINE)
_DEEPEST = 2
_INSIDE = 2  # the column where a bullet's text begins


def canonical_bullet(text: str) -> str | None:
    """Make a bullet of any text: what this returns comes back from the file byte for byte.

    Returns:
        The bullet (unchanged if it was one), or None for what cannot be one: blank text, a text that reads as a
        placeholder, or one with a lone surrogate, which has no bytes.
    """
    lines = _LINE_END.sub("\n", text).split("\n")
    bullet = "\n".join(line if line.strip() else "" for line in lines).strip()
    if not bullet or reads_as_placeholder(bullet) or _SURROGATE.search(bullet):
        return None
    if _ONLY_DASHES.fullmatch(bullet.partition("\n")[0]):
        bullet = "\\" + bullet
    return _with_two_levels(bullet)


def _with_two_levels(bullet: str) -> str:
    """Move every list that is deeper than level two to level two; each round brings deeper ones within reach."""
    while _MAY_BEGIN_A_LIST.search(bullet):
        lines = item(bullet).split("\n")
        moves = _moves(lines)
        if not moves:
            break
        bullet = bullet_of("\n".join(_moved_left(line, moves.get(number, 0)) for number, line in enumerate(lines)))
    return bullet


def _moves(lines: list[str]) -> dict[int, int]:
    """By how many columns which lines stand too far right, because of the innermost list that they belong to."""
    moves: dict[int, int] = {}
    started = second_column = 0
    for inner in list_items(tokens("\n".join(lines))):
        if inner.depth == _DEEPEST:
            second_column = max(column(lines[inner.start]), _INSIDE)
        # A marker behind another one on the same line stays: "1. 2. 2026" is a date, not a list in a list.
        elif inner.depth > _DEEPEST and inner.start > started:
            by = column(lines[inner.start]) - second_column
            moves.update(dict.fromkeys(range(inner.start, inner.end), by))
        started = inner.start
    return {number: by for number, by in moves.items() if by > 0}


def _moved_left(line: str, by: int) -> str:
    """A line some columns further left, yet inside the bullet."""
    return " " * max(column(line) - by, _INSIDE) + line.lstrip(" \t") if by and line else line
