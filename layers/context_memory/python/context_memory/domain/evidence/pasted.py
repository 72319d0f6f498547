"""Telling the user's own words from what was pasted beside them.

Openings are recognised generously, in whatever look-alike or with whatever hidden in them; endings are recognised
strictly. Whoever wrote the pasted text can then hide neither where it begins nor pretend that it has ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from context_memory.domain.evidence import documents, mail
from context_memory.domain.evidence.fenced import fenced_lines
from context_memory.domain.evidence.quoted import quoted_lines
from context_memory.domain.evidence.transcript import lines_of_others
from context_memory.domain.language.invisible import as_seen, nothing_to_see

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


class Kind(Enum):
    """Whose words a piece of a message is."""

    OWN = "own"
    LONG = "long"
    """One long block: the user's own only if nothing of the user's stands beside it."""
    ANNOUNCED = "announced"
    """A document that the user handed over: "Summarise this:"."""
    FENCED = "fenced"
    QUOTED = "quoted"
    MAIL = "mail"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a message of one kind; never blank."""

    kind: Kind
    text: str


def pieces_of(
    messages: Iterable[Sequence[str]], users_names: Collection[str], *, follows_answer: bool = False
) -> list[Piece]:
    """Split messages, each given as its text parts, into pieces, in order.

    Of several parts each is a block of its own; a single one falls into blocks at blank lines. `users_names` are what
    the user is called in copied chats; `follows_answer` tells whether an assistant's answer precedes the messages.
    """
    pieces: list[Piece] = []
    for parts in messages:
        spoken = [part for part in parts if not nothing_to_see(part)]
        first = len(pieces)
        for part in spoken:
            words = pieces[-1].text if pieces and pieces[-1].kind is Kind.OWN else ""
            if documents.end_announces(words, part, follows_answer=follows_answer):
                pieces.append(Piece(Kind.ANNOUNCED, part.strip()))
            else:
                pieces.extend(_pieces(part, users_names, whole=len(spoken) > 1, follows_answer=follows_answer))
        pieces[first:] = _handed_over_above(pieces[first:])
    return pieces


def own_text(text: str) -> str:
    """`text` without fenced blocks, quoted lines and mails."""
    return "\n\n".join(stretch for kind, stretch in _stretches(_lines(text)) if kind is Kind.OWN)


def _pieces(part: str, users_names: Collection[str], *, whole: bool, follows_answer: bool) -> Iterator[Piece]:
    ends_in_document = False
    for kind, stretch in _stretches(_without_chats(_lines(part), users_names)):
        if kind is not Kind.OWN:
            yield Piece(kind, stretch)
            continue
        told_apart = [(True, stretch)]
        if not ends_in_document:
            told_apart = list(documents.told_apart(stretch, follows_answer=follows_answer))
        for is_document, text in told_apart:
            if is_document:
                yield Piece(Kind.ANNOUNCED, text)
                continue
            for block in [text] if whole else documents.paragraphs_of(text):
                yield Piece(Kind.LONG if len(block) > documents.LONGEST_OWN_BLOCK else Kind.OWN, block)
        ends_in_document = told_apart[-1][0]


def _handed_over_above(pieces: list[Piece]) -> list[Piece]:
    """The pieces of a message; own ones above a closing "Please summarise this." are what it hands over, if long."""
    own = 0
    while own < len(pieces) and pieces[-own - 1].kind is Kind.OWN:
        own += 1
    above, rest = pieces[len(pieces) - own : -1], pieces[: len(pieces) - own]
    if not documents.hands_over_what_is_above(pieces[-1].text if own else "", sum(len(piece.text) for piece in above)):
        return pieces
    return [*rest, *(Piece(Kind.ANNOUNCED, piece.text) for piece in above), pieces[-1]]


def _lines(text: str) -> list[tuple[Kind, str]]:
    """Each line with its kind, as far as marks and mail headers tell it."""
    fenced = fenced_lines(text)
    quoted = quoted_lines(["" if is_fenced else line for line, is_fenced in fenced])
    kinds = [
        Kind.FENCED if is_fenced else Kind.QUOTED if is_quoted else Kind.OWN
        for (_, is_fenced), is_quoted in zip(fenced, quoted, strict=True)
    ]
    lines = [(kind, line) for kind, (line, _) in zip(kinds, fenced, strict=True)]
    mail_at = mail.begins_at(_own_as_seen(lines))
    return [*lines[:mail_at], *((Kind.MAIL, line) for _, line in lines[mail_at:])]


def _without_chats(lines: list[tuple[Kind, str]], users_names: Collection[str]) -> list[tuple[Kind, str]]:
    said_by_others = lines_of_others(_own_as_seen(lines), users_names)
    return [
        (Kind.QUOTED if by_other and kind is Kind.OWN else kind, line)
        for (kind, line), by_other in zip(lines, said_by_others, strict=True)
    ]


def _own_as_seen(lines: Sequence[tuple[Kind, str]]) -> list[str]:
    """The lines as an eye takes them; headers and names inside a fence or a quotation are part of that."""
    return [as_seen(line) if kind is Kind.OWN else "" for kind, line in lines]


def _stretches(lines: Iterable[tuple[Kind, str]]) -> Iterator[tuple[Kind, str]]:
    for kind, group in groupby(lines, key=lambda line: line[0]):
        stretch = "\n".join(line for _, line in group).strip()
        if not nothing_to_see(stretch):
            yield kind, stretch
