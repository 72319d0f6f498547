"""The block structure of Markdown, as far as a profile has one.

CommonMark with fewer constructs: HTML, quotes, indented code and link definitions are plain text, and no fence may hold
one of our headings. So nothing that is opened and never closed swallows the sections behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block.fence import fence
from markdown_it.rules_block.list import list_block

from context_memory.domain.reading.headings import holds_our_heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

# The parser gives up on deeper nesting and takes the rest of the file for part of it: stop before, and stay text.
_DEEPEST_LIST = 8
_LEVELS_PER_LIST = 2


def _list_of_any_indentation(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser calls it
    if state.level >= _DEEPEST_LIST * _LEVELS_PER_LIST:
        return False
    # Four blanks before a marker would make it text of the item above: nobody means that in a profile.
    around, state.listIndent = state.listIndent, -1
    is_list = list_block(state, start, end, silent)
    state.listIndent = around
    return is_list


def _fence_around_content(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - likewise
    before = state.line
    if not fence(state, start, end, silent):
        return False
    if silent or state.level or not holds_our_heading(state.tokens[-1].content):
        return True
    state.tokens.pop()
    state.line = before
    return False


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").disable(["html_block", "blockquote", "code", "reference", "inline", "text_join"])
    parser.block.ruler.at("list", _list_of_any_indentation, {"alt": ["paragraph"]})
    parser.block.ruler.at("fence", _fence_around_content, {"alt": ["paragraph", "list"]})
    return parser


_PARSER = _parser()


def tokens(text: str) -> list[Token]:
    """Block tokens of `text` (LF line ends), with the source lines that each spans."""
    return _PARSER.parse(text)


@dataclass(frozen=True, slots=True)
class ListItem:
    """A list item: its depth (1 is the outermost), its source lines `start` to `end` (exclusive), and its number."""

    depth: int
    start: int
    end: int
    number: int | None


def list_items(parsed: list[Token]) -> Iterator[ListItem]:
    """All list items in the order of the text, outer ones before the inner ones."""
    for token in parsed:
        if token.type == "list_item_open" and token.map:
            start, end = token.map
            yield ListItem(token.level // _LEVELS_PER_LIST + 1, start, end, int(token.info) if token.info else None)


def column(line: str) -> int:
    """Columns of white space that a line begins with."""
    return width(line[: len(line) - len(line.lstrip(" \t"))])


def width(blanks: str) -> int:
    """Columns of a text that stands at the beginning of a line; a tab reaches to the next multiple of four."""
    return len(blanks.expandtabs(4))


def outdent(line: str, columns: int) -> str:
    """Take away up to `columns` columns of leading white space; what is not touched stays as it was."""
    taken = 0
    while taken < len(line) and taken < columns and line[taken] == " ":
        taken += 1
    if taken == columns or line[taken : taken + 1] != "\t":
        return line[taken:]
    return " " * max(column(line) - columns, 0) + line.lstrip(" \t")
