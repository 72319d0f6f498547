"""Unpacking an answer from the code fence around it."""

from __future__ import annotations

import re

from context_memory.domain.reading.headings import emphasised_heading, section_of

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})[^`\n]*")
_HEADING = re.compile(r" {0,3}(?:#{1,6}[ \t]+)?(\w.*?)[ \t#]*")
_LINE_END = re.compile(r"\r\n?|\n")


def unfenced_body(text: str) -> str:
    """What stands in the outer fence of an answer that is a body; `text` itself when there is no such fence.

    It opens before the first heading, remarks before it aside, and the last fence at column 0 closes it, for fences
    inside it belong to bullets. With another section behind that last fence, or without one, it reaches to the end.
    """
    lines = _LINE_END.split(text)
    opened_at = next((at for at, line in enumerate(lines) if _OPENING.fullmatch(line) or _is_heading(line)), None)
    opening = _OPENING.fullmatch(lines[opened_at]) if opened_at is not None else None
    if opened_at is None or opening is None:
        return text
    inside = lines[opened_at + 1 :]
    fences = [at for at, line in enumerate(inside) if _closes(line, opening["fence"])]
    if fences and not any(_is_heading(line) for line in inside[fences[-1] :]):
        inside = inside[: fences[-1]]
    return "\n".join(inside)


def unfenced_lines(text: str) -> list[str]:
    """The non-blank lines of an answer, without a fence around the whole of it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    opening = _OPENING.fullmatch(lines[0]) if lines else None
    if opening is None:
        return lines
    last = len(lines) - 1 if _closes(lines[-1], opening["fence"]) and len(lines) > 1 else len(lines)
    return lines[1:last]


def _closes(line: str, fence: str) -> bool:
    bare = line.rstrip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def _is_heading(line: str) -> bool:
    heading = _HEADING.fullmatch(line)
    return bool(heading and section_of(heading[1])) or emphasised_heading(line) is not None
