"""Reading a body: the complete text of a profile, as a model writes it."""

from __future__ import annotations

from context_memory.domain.errors import MalformedReply
from context_memory.domain.reading import parse
from context_memory.domain.replies.candidate import Candidate
from context_memory.domain.replies.fences import unfenced_body
from context_memory.domain.replies.reasoning import without_reasoning

COMPLETE = "stop"
"""The `finish_reason` of an answer that was not cut."""
CUT = "length"
"""That of one that was."""

_INVISIBLE_AT_THE_START = "\ufeff\u200b\u2060"


def read_body(text: str | None, *, finish_reason: str) -> Candidate:
    """Read a body: bare, in a fence, behind a remark, behind reasoning; its frontmatter is ignored.

    Raises:
        MalformedReply: it was cut off, is empty, has none of the six headings or one that is none of them.
    """
    if finish_reason != COMPLETE:
        raise MalformedReply("The answer was cut off before its end.")
    answer = without_reasoning((text or "").lstrip(_INVISIBLE_AT_THE_START)).lstrip(_INVISIBLE_AT_THE_START)
    if not answer.strip():
        raise MalformedReply("The answer was empty.")
    document = parse(unfenced_body(answer), drop_trailing_prose=True)
    if not document.headed:
        raise MalformedReply("The answer held none of the six section headings.")
    if document.unknown:
        raise MalformedReply("The answer held a heading that is none of the six sections.")
    return Candidate(document.bullets, document.filled)
