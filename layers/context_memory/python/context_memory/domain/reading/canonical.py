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
    """Move every list that is deeper than level two to level two; each round takes away a level."""
    while _MAY_BEGIN_A_LIST.search(bullet):
        lines = item(bullet).split("\n")
        if not _flatten(lines):
            break
        bullet = bullet_of("\n".join(lines))
    return bullet


def _flatten(lines: list[str]) -> bool:
    """Shift the outermost lists below level two in place; whether there was anything to shift."""
    second_line = second_column = shifted_to = 0
    for inner in list_items(tokens("\n".join(lines))):
        if inner.depth == _DEEPEST:
            second_line, second_column = inner.start, max(column(lines[inner.start]), _INSIDE)
        by = column(lines[inner.start]) - second_column
        # A marker behind another one on the same line stays: "1. 2. 2026" is a date, not a list in a list.
        if inner.depth > _DEEPEST and inner.start > second_line and inner.start >= shifted_to and by > 0:
            for number in range(inner.start, inner.end):
                lines[number] = _moved_left(lines[number], by)
            shifted_to = inner.end
    return shifted_to > 0


def _moved_left(line: str, by: int) -> str:
    """A line some columns further left, yet inside the bullet."""
    return " " * max(column(line) - by, _INSIDE) + line.lstrip(" \t") if line else line
