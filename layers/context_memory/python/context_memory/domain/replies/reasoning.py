"""Taking out what a model thought aloud before it answered."""

from __future__ import annotations

import re

from context_memory.domain.errors import MalformedReply
from context_memory.domain.reading.headings import section_of

_NAMES = "think|thinking|thought|reasoning"
_OPENING = re.compile(rf"<(?:{_NAMES})>", re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_NAMES})>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_NAMES})>", re.IGNORECASE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_OPENS_A_BULLET = re.compile(r"[-*+]|\d+[.)]")


def without_reasoning(text: str) -> str:
    """`text` without its reasoning, the opening tag of which may be missing.

    A tag inside a bullet is content. Above the first heading there are no bullets, so every tag counts there; below
    it those do that begin a line at its very start, or end a line of prose.

    Raises:
        MalformedReply: the reasoning is never closed.
    """
    while opening := next((tag for tag in _tags(text) if _OPENING.match(tag[0])), None):
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            raise MalformedReply("The reasoning was never closed, so no answer follows it.")
        text = f"{text[: opening.start()]}\n{text[closing.end() :]}"
    tags = _tags(text)
    return text[tags[-1].end() :] if tags else text


def _tags(text: str) -> list[re.Match[str]]:
    body = _start_of_body(text)
    return [tag for tag in _TAG.finditer(text) if tag.start() < body or _stands_apart(text, tag)]


def _start_of_body(text: str) -> int:
    headings = (heading.start() for heading in _HEADING.finditer(text) if section_of(heading[1]))
    return next(headings, len(text))


def _stands_apart(text: str, tag: re.Match[str]) -> bool:
    start = text.rfind("\n", 0, tag.start()) + 1
    end = text.find("\n", tag.end())
    before = text[start : tag.start()]
    behind = text[tag.end() : end if end >= 0 else len(text)]
    return not before or not (behind.strip() or before[0].isspace() or _OPENS_A_BULLET.match(before))
