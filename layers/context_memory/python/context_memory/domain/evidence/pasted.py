"""Telling the user's own words from what was pasted beside them.

Openings are recognised generously, in whatever look-alike or with whatever hidden in them; endings are recognised
strictly. Whoever wrote the pasted text can then hide neither where it begins nor pretend that it has ended.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from context_memory.domain.evidence import mail
from context_memory.domain.evidence.fenced import fenced_lines, is_quoted
from context_memory.domain.invisible import as_seen, nothing_to_see

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST_OWN_BLOCK = 1500
"""Characters of one block that somebody may still have typed beside other text."""

_PARAGRAPH_BREAK = re.compile(r"\n(?:[^\S\n]*\n)+")


class Kind(Enum):
    """Whose words a piece of a message is."""

    OWN = "own"
    LONG = "long"
    """One long block: the user's own only if nothing of the user's stands beside it."""
    FENCED = "fenced"
    QUOTED = "quoted"
    MAIL = "mail"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a message of one kind; never blank."""

    kind: Kind
    text: str


def pieces_of(parts: Sequence[str]) -> tuple[Piece, ...]:
    """Split the text parts of one message into pieces, in order.

    Of several parts each is a block of its own; a single one falls into blocks at blank lines.
    """
    spoken = [part for part in parts if not nothing_to_see(part)]
    return tuple(piece for part in spoken for piece in _pieces(part, whole=len(spoken) > 1))


def own_text(text: str) -> str:
    """`text` without fenced blocks, quoted lines and mails."""
    return "\n\n".join(stretch for kind, stretch in _stretches(text) if kind is Kind.OWN)


def _pieces(part: str, *, whole: bool) -> Iterator[Piece]:
    for kind, stretch in _stretches(part):
        if kind is not Kind.OWN:
            yield Piece(kind, stretch)
            continue
        blocks = [stretch] if whole else list(_blocks(stretch))
        for block in blocks:
            yield Piece(Kind.LONG if len(block) > LONGEST_OWN_BLOCK else Kind.OWN, block)


def _blocks(stretch: str) -> Iterator[str]:
    """Paragraphs; but all that follows an announcing colon ("Sum this up:") is one block when it is long."""
    paragraphs = _PARAGRAPH_BREAK.split(stretch)
    for at, paragraph in enumerate(paragraphs):
        yield paragraph
        announced = "\n\n".join(paragraphs[at + 1 :])
        if as_seen(paragraph).rstrip("*_ ").endswith(":") and len(announced) > LONGEST_OWN_BLOCK:
            yield announced
            return


def _stretches(text: str) -> Iterator[tuple[Kind, str]]:
    lines: list[tuple[Kind, str]] = []
    for line, is_fenced in fenced_lines(text):
        lines.append((Kind.FENCED if is_fenced else Kind.QUOTED if is_quoted(line) else Kind.OWN, line))
    # Headers inside a fence or a quotation are part of that; a blank keeps their places.
    mail_at = mail.begins_at([as_seen(line) if kind is Kind.OWN else "" for kind, line in lines])
    lines[mail_at:] = [(Kind.MAIL, line) for _, line in lines[mail_at:]]
    for kind, group in groupby(lines, key=lambda line: line[0]):
        stretch = "\n".join(line for _, line in group).strip()
        if not nothing_to_see(stretch):
            yield kind, stretch
