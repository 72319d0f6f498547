"""A profile's text as a row of headings, bullets and lines of prose: nothing nested, nothing left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from context_memory.domain.placeholders import reads_as_placeholder
from context_memory.domain.reading.headings import DEEPEST_HEADING, emphasised_heading, is_ours
from context_memory.domain.reading.markdown import column, outdent, tokens, width
from context_memory.domain.rendering import TRUNCATION_MARKER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ITEM = re.compile(r"([ \t]*(?:[-+*]|\d{1,9}[.)]))([ \t]*)(.*)", re.DOTALL)
_FENCE_LINE = re.compile(r"(?:`{3,}|~{3,})[ \t]*(?:markdown|md|text|txt)?")
_DATE_LINE = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC:")
_ENDS_A_SENTENCE = re.compile(r"[.!?…:;,。！？：]\W*$")  # noqa: RUF001 - full-width marks are meant
_RULE = "---"
_OFTEN = 8  # lines that were moved out of lists in lists more often than this are read as they stand
_WIDEST_GAP = 4  # more blanks than this between a marker and its text belong to the text


class Kind(Enum):
    """What a block is."""

    HEADING = auto()
    BULLET = auto()
    PROSE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its text without marks; of a bullet also `firm`, the text up to its first line without indentation."""

    kind: Kind
    text: str
    firm: str = ""


def is_date_line(text: str) -> bool:
    """Whether a text begins as a line of Recent Topics does."""
    return bool(_DATE_LINE.match(text))


def blocks(text: str, *, within: int = 0) -> Iterator[Block]:
    """The blocks of a text (LF line ends) in order; rules are structure and are left out.

    `within` says how many times the text was already found behind a bullet.
    """
    lines = text.split("\n")
    parsed = tokens(text)
    last_number = 0
    for position, token in enumerate(parsed):
        if not token.map:
            continue
        source = lines[slice(*token.map)]
        match token.type, token.level:
            case "list_item_open", 1:
                number = int(token.info) if token.info else None
                # A number that does not count, as in "17. June", is part of the text.
                counts = number in {None, 0, 1, last_number + 1}
                last_number = number if number is not None and counts else last_number
                yield from _item(source, keep_marker=not counts, within=within)
            case "paragraph_open", 0:
                yield from _prose(source)
            case "heading_open", 0 if token.markup.startswith("#"):
                yield from _heading(len(token.markup), parsed[position + 1].content, source[0])
            case "heading_open", 0:
                yield from _underlined(source)
            case "fence", 0 if any(map(str.strip, source[1:])):
                yield Block(Kind.PROSE, "\n".join(outdent(line, column(source[0])) for line in source))
            case "fence", 0:
                yield from _prose(source[:1])


def _heading(level: int, text: str, line: str) -> Iterator[Block]:
    if level <= DEEPEST_HEADING and text:
        yield Block(Kind.HEADING, text)
    elif text:
        yield Block(Kind.PROSE, line.strip())


def _underlined(source: Sequence[str]) -> Iterator[Block]:
    """Lines with an underline (the last one of `source`): a heading, unless they are prose above what is a rule."""
    *before, last, line = map(str.strip, source)
    yield from _prose(before)
    prose = before or line == _RULE or _ENDS_A_SENTENCE.search(last) or _stands_alone(last)
    if is_ours(last) or not prose:
        yield Block(Kind.HEADING, last)
    else:
        yield from _prose([last])


def _prose(source: Sequence[str]) -> Iterator[Block]:
    """Each line on its own: who leaves out the markers writes a fact a line."""
    for line in map(str.strip, source):
        heading = emphasised_heading(line)
        if heading is not None:
            yield Block(Kind.HEADING, heading)
        elif not _FENCE_LINE.fullmatch(line):  # a fence around the profile, or one that nobody closed
            yield Block(Kind.PROSE, line)


def _item(source: Sequence[str], *, keep_marker: bool, within: int) -> Iterator[Block]:
    """A list item, and behind it what follows without indentation although it is a thing of its own."""
    mark, gap, first = _ITEM.fullmatch(source[0]).groups()  # type: ignore[union-attr] # the parser saw the marker
    widest = width(mark) + _WIDEST_GAP
    indentation = width(mark + gap) if first and width(mark + gap) <= widest else width(mark) + 1
    taken = [source[0].strip() if keep_marker else first]
    firm = len(source)
    for number, line in enumerate(source[1:], start=1):
        if line.strip() and column(line) < indentation:
            if _stands_alone(line.strip()):
                yield _bullet(taken, firm)
                behind = source[number:]
                yield from blocks("\n".join(behind), within=within + 1) if within < _OFTEN else _prose(behind)
                return
            firm = min(firm, number)
        taken.append(outdent(line, indentation))
    yield _bullet(taken, firm)


def _bullet(lines: Sequence[str], firm: int) -> Block:
    return Block(Kind.BULLET, "\n".join(lines), "\n".join(lines[:firm]))


def _stands_alone(line: str) -> bool:
    """Whether a line right below a bullet is no continuation of it."""
    return (
        line == TRUNCATION_MARKER
        or is_date_line(line)
        or reads_as_placeholder(line)
        or emphasised_heading(line) is not None
    )
